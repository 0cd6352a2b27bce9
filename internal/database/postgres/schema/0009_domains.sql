-- The hosts of links, by the numbers that keys of addresses begin with. A number is never given to
-- another host, so no row is ever deleted. On Citus it stays on the coordinator.
CREATE TABLE domains (
    number      integer PRIMARY KEY, -- 0: the default, whose host is that of BASE_URL
    host        text COLLATE "C" NOT NULL UNIQUE,
    root_url    text NOT NULL DEFAULT '',
    unknown_url text NOT NULL DEFAULT '',
    ended_url   text NOT NULL DEFAULT ''
);

INSERT INTO domains (number, host) VALUES (0, '');

-- The domain of the short code that an entry is about.
ALTER TABLE audit ADD COLUMN domain integer NOT NULL DEFAULT 0;
