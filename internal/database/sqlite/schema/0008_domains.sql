-- The hosts of links, by the numbers that keys of addresses begin with. A number is never given to
-- another host, so no row is ever deleted.
CREATE TABLE domains (
    number      INTEGER PRIMARY KEY, -- 0: the default, whose host is that of BASE_URL
    host        TEXT NOT NULL UNIQUE,
    root_url    TEXT NOT NULL DEFAULT '',
    unknown_url TEXT NOT NULL DEFAULT '',
    ended_url   TEXT NOT NULL DEFAULT ''
) STRICT;

INSERT INTO domains (number, host) VALUES (0, '');

-- The domain of the short code that an entry is about.
ALTER TABLE audit ADD COLUMN domain INTEGER NOT NULL DEFAULT 0;

CREATE TRIGGER link_domain_stays BEFORE UPDATE OF code ON links
    WHEN substr(old.code, 1, instr(old.code, '/')) <> substr(new.code, 1, instr(new.code, '/'))
BEGIN
    SELECT RAISE(ABORT, 'the domain of a link must not change: its aliases are kept under it');
END;
