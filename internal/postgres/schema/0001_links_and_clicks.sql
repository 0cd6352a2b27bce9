-- Times are microseconds since 1970, days are UTC days since 1970. Everything that belongs to a
-- link is keyed by its code, so that a distributed engine keeps it in one place, and by its ID, so
-- that a code that is chosen anew inherits nothing.

CREATE SEQUENCE link_ids; -- never used again

CREATE TABLE links (
    code       text COLLATE "C" PRIMARY KEY,
    id         bigint NOT NULL,
    url        text NOT NULL,
    created_by text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL
);

CREATE INDEX links_by_owner ON links (created_by, created_at DESC, id DESC);

-- One row for each link, made and deleted with it: whoever adds clicks locks it, so that where it
-- is missing the link is. Journals have rows, too, in which all clicks of a journal are counted as
-- if they were one link's: code '*' and the journal, ID 0.
CREATE TABLE link_clicks (
    code    text COLLATE "C" NOT NULL,
    link_id bigint NOT NULL,
    clicks  bigint NOT NULL DEFAULT 0,
    pending integer NOT NULL DEFAULT 0,   -- of them, those that are in no row of click_days
    recent  bytea NOT NULL DEFAULT '',    -- the newest of these: blocks, each behind its length
    PRIMARY KEY (code, link_id)
);

-- Clicks of a day that are counted in its row of click_days, or pending ones of many days (day
-- -2147483648).
CREATE SEQUENCE click_block_ids;

CREATE TABLE click_blocks (
    code    text COLLATE "C" NOT NULL,
    link_id bigint NOT NULL,
    day     integer NOT NULL,
    id      bigint NOT NULL,
    first   bigint NOT NULL,
    last    bigint NOT NULL,
    clicks  bytea NOT NULL,
    PRIMARY KEY (code, link_id, day, id)
);

-- Clicks of a day, counted by every value of every dimension.
CREATE TABLE click_days (
    code    text COLLATE "C" NOT NULL,
    link_id bigint NOT NULL,
    day     integer NOT NULL,
    counts  bytea NOT NULL,
    PRIMARY KEY (code, link_id, day)
);

-- Up to where each click journal is counted.
CREATE TABLE journals (
    journal  text COLLATE "C" PRIMARY KEY,
    position bigint NOT NULL
);

-- How many links each owner has is the sum of some rows: nodes that used one would queue for it.
CREATE TABLE owners (
    owner text COLLATE "C" NOT NULL,
    slot  integer NOT NULL,
    links bigint NOT NULL,
    PRIMARY KEY (owner, slot)
);

-- Packed clicks do not get smaller by compression; a row that fits into a page stays in it; rows
-- that are written again and again have room beside them, so that their index need not be touched.
ALTER TABLE link_clicks SET (fillfactor = 70, toast_tuple_target = 8160);
ALTER TABLE click_blocks SET (toast_tuple_target = 8160);
ALTER TABLE click_days SET (fillfactor = 70, toast_tuple_target = 8160);
ALTER TABLE link_clicks ALTER COLUMN recent SET STORAGE EXTERNAL;
ALTER TABLE click_blocks ALTER COLUMN clicks SET STORAGE EXTERNAL;
ALTER TABLE click_days ALTER COLUMN counts SET STORAGE EXTERNAL;
