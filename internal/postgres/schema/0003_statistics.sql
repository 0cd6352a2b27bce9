-- What is known of clicks, and who may see it.

-- The shares of links. One is looked up by its SHA-256, so that how long that takes tells nothing
-- of the share.
CREATE TABLE shares (
    code    text COLLATE "C" NOT NULL,
    link_id bigint NOT NULL,
    share   bytea NOT NULL,
    hash    bytea NOT NULL UNIQUE,
    PRIMARY KEY (code, link_id)
);

-- How often the link's clicks were cleared: those of earlier eras count for all links only.
ALTER TABLE link_clicks ADD COLUMN era integer NOT NULL DEFAULT 0;

-- The codes without a link that were asked for most, as terse.UnknownCodes writes them.
CREATE TABLE unknown_codes (
    day   integer NOT NULL,               -- UTC, since 1970
    node  text COLLATE "C" NOT NULL,      -- that counted them: the ID of its journal
    codes bytea NOT NULL,
    PRIMARY KEY (day, node)
);

-- The counts of single clicks that are gone, as click_days has them of those that are there.
CREATE TABLE dropped_days (
    code    text COLLATE "C" NOT NULL,
    link_id bigint NOT NULL,
    day     integer NOT NULL,
    last    bigint NOT NULL, -- the time of the last of these clicks
    counts  bytea NOT NULL,
    links   bytea,           -- of clicks of all links, how many each link has
    PRIMARY KEY (code, link_id, day)
);

ALTER TABLE dropped_days SET (toast_tuple_target = 8160);
ALTER TABLE dropped_days ALTER COLUMN counts SET STORAGE EXTERNAL;

-- What the visitors of a day are hashed with, until it is over.
CREATE TABLE visitor_keys (
    day integer PRIMARY KEY,
    key bytea NOT NULL
);

-- The last days that had a key.
CREATE TABLE visitor_days (
    day     integer PRIMARY KEY,
    kept    boolean NOT NULL,         -- whether its hashes are
    version bigint NOT NULL DEFAULT 0 -- grows when all chunks are written again
);

-- Hashes of visitors, in the chunks of internal/visitors: those of even and of odd days, so that
-- all of a day go at once. A bucket is 256 links whose IDs are neighbours.
CREATE TABLE visitors_even (
    bucket bigint NOT NULL,
    seq    integer NOT NULL,
    chunk  bytea NOT NULL,
    PRIMARY KEY (bucket, seq)
);

CREATE TABLE visitors_odd (
    bucket bigint NOT NULL,
    seq    integer NOT NULL,
    chunk  bytea NOT NULL,
    PRIMARY KEY (bucket, seq)
);

-- A bucket's last chunk is written with each batch.
ALTER TABLE visitors_even SET (fillfactor = 70, toast_tuple_target = 8160);
ALTER TABLE visitors_odd SET (fillfactor = 70, toast_tuple_target = 8160);
ALTER TABLE visitors_even ALTER COLUMN chunk SET STORAGE EXTERNAL;
ALTER TABLE visitors_odd ALTER COLUMN chunk SET STORAGE EXTERNAL;

-- No click from before that day waits in the journal.
ALTER TABLE journals ADD COLUMN day integer NOT NULL DEFAULT 0;
