-- Version 1 of the schema. A script never changes once it was released: what comes is 0002 and so
-- on. Times are microseconds since 1970, days are UTC days since 1970. Everything that belongs to a
-- link is keyed by its code, so that a distributed engine keeps it in one place, and by its ID, so
-- that a code that is chosen again inherits nothing.

-- Links -------------------------------------------------------------------------------------------

CREATE SEQUENCE link_ids; -- never used again

CREATE TABLE links (
    code       text COLLATE "C" PRIMARY KEY, -- leaves a character for a domain in front of it
    id         bigint NOT NULL,
    url        text NOT NULL,
    created_by text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL DEFAULT 0, -- 0: never; grows with each change
    options    text NOT NULL DEFAULT '',  -- JSON; empty for a plain link
    -- when the link is disabled or expires, see links_to_url
    open_until bigint NOT NULL DEFAULT 9223372036854775807
);

CREATE INDEX links_by_owner ON links (created_by, created_at DESC, id DESC);
CREATE INDEX links_by_id ON links (id);

-- An owner's newest link to a URL is looked for among those that have not ended, in the index
-- alone: those that were disabled or have expired are not in the way. One number stands for owner
-- and URL, since a URL may be too long.
CREATE INDEX links_to_url ON links (
    hashtextextended(url, hashtextextended(created_by, 0)), created_at DESC, id DESC, open_until
);

-- The codes that a link had before the one it has. Clicks may still come from them.
CREATE TABLE former_codes (
    link_id bigint NOT NULL,
    code    text COLLATE "C" NOT NULL,
    PRIMARY KEY (link_id, code)
);

-- Links that can be anything but active.
CREATE TABLE link_states (
    code       text COLLATE "C" NOT NULL,
    link_id    bigint NOT NULL,
    owner      text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL,
    disabled   boolean NOT NULL,
    starts_at  bigint NOT NULL,           -- the smallest number: unbounded
    expires_at bigint NOT NULL,           -- the largest number: unbounded
    max_clicks bigint NOT NULL,           -- 0: any number
    used       bigint NOT NULL DEFAULT 0, -- of max_clicks
    used_up    boolean NOT NULL DEFAULT false,
    PRIMARY KEY (code, link_id)
);

-- All that tells a state, so that lists read the index only. used is not in it: it is written with
-- every visit, which costs less when no index has to be.
CREATE INDEX link_states_by_owner ON link_states (owner, created_at DESC, link_id DESC)
    INCLUDE (disabled, starts_at, expires_at, used_up, code);

CREATE TABLE link_tags (
    code       text COLLATE "C" NOT NULL,
    link_id    bigint NOT NULL,
    tag        text COLLATE "C" NOT NULL, -- folded
    owner      text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL,           -- of the link
    disabled   boolean,                   -- these as in link_states; NULL for links without states
    starts_at  bigint,
    expires_at bigint,
    used_up    boolean,
    PRIMARY KEY (code, link_id, tag)
);

CREATE INDEX link_tags_by_tag ON link_tags (owner, tag, created_at DESC, link_id DESC)
    INCLUDE (code, disabled, starts_at, expires_at, used_up);
CREATE INDEX link_tags_with_state ON link_tags (owner, tag, created_at DESC, link_id DESC)
    INCLUDE (code, disabled, starts_at, expires_at, used_up) WHERE expires_at IS NOT NULL;

-- The last changes of a link.
CREATE TABLE link_changes (
    code       text COLLATE "C" NOT NULL,
    link_id    bigint NOT NULL,
    at         bigint NOT NULL,
    changed_by text NOT NULL,
    request_id text NOT NULL,
    fields     text NOT NULL, -- JSON
    PRIMARY KEY (code, link_id, at)
);

-- The shares of links. One is looked up by its SHA-256, so that how long that takes tells nothing
-- of the share.
CREATE TABLE shares (
    code    text COLLATE "C" NOT NULL,
    link_id bigint NOT NULL,
    share   bytea NOT NULL,
    hash    bytea NOT NULL UNIQUE,
    PRIMARY KEY (code, link_id)
);

-- Answers to requests with idempotency keys.
CREATE TABLE answers (
    key     bytea PRIMARY KEY,
    at      bigint NOT NULL,
    request bytea NOT NULL,
    status  integer NOT NULL,
    etag    text NOT NULL,
    body    bytea NOT NULL
);

CREATE INDEX answers_by_age ON answers (at);

-- The codes without a link that were asked for most, as terse.UnknownCodes writes them.
CREATE TABLE unknown_codes (
    day   integer NOT NULL,
    node  text COLLATE "C" NOT NULL, -- that counted them: the ID of its journal
    codes bytea NOT NULL,
    PRIMARY KEY (day, node)
);

-- What lists combine and count --------------------------------------------------------------------

-- How many links each owner has is the sum of some rows: nodes that used one would queue for it.
CREATE TABLE owners (
    owner text COLLATE "C" NOT NULL,
    slot  integer NOT NULL,
    links bigint NOT NULL,
    PRIMARY KEY (owner, slot)
);

-- How many links each owner has in a range of 1,024 IDs, and when they were made. It is the sum of
-- some rows, as in owners. Links that are deleted leave the bounds as they are.
CREATE TABLE link_ranges (
    owner    text COLLATE "C" NOT NULL,
    id_range bigint NOT NULL, -- id >> 10
    slot     integer NOT NULL,
    links    bigint NOT NULL,
    first    bigint NOT NULL, -- no created_at is less
    last     bigint NOT NULL, -- no created_at is more
    PRIMARY KEY (owner, id_range, slot)
);

-- Which links of an owner have a tag. Bit 0, the leftmost, is the first ID of a range.
CREATE TABLE link_sets (
    owner    text COLLATE "C" NOT NULL,
    tag      text COLLATE "C" NOT NULL, -- folded
    id_range bigint NOT NULL,
    links    bit(1024) NOT NULL,
    PRIMARY KEY (owner, tag, id_range)
);

-- How an owner spells a tag, and how many links have it.
CREATE TABLE tags (
    owner text COLLATE "C" NOT NULL,
    tag   text COLLATE "C" NOT NULL, -- folded
    name  text NOT NULL,
    links bigint NOT NULL,
    PRIMARY KEY (owner, tag)
);

-- Rows that are written again and again have room beside them.
ALTER TABLE link_states SET (fillfactor = 70);
ALTER TABLE link_ranges SET (fillfactor = 70);
ALTER TABLE link_sets SET (fillfactor = 70);
ALTER TABLE tags SET (fillfactor = 70);

-- Clicks ------------------------------------------------------------------------------------------

-- Up to where each click journal is counted. No click from before the day waits in it.
CREATE TABLE journals (
    journal  text COLLATE "C" PRIMARY KEY,
    position bigint NOT NULL,
    day      integer NOT NULL DEFAULT 0
);

-- One row for each link, made and deleted with it. Adding clicks locks it: where it is missing,
-- the link is. Journals have rows, too, in which all clicks of a journal are counted as if they
-- were one link's: code '*' and the journal, ID 0.
CREATE TABLE link_clicks (
    code    text COLLATE "C" NOT NULL,
    link_id bigint NOT NULL,
    clicks  bigint NOT NULL DEFAULT 0,
    pending integer NOT NULL DEFAULT 0, -- of them, those that are in no row of click_days
    recent  bytea NOT NULL DEFAULT '',  -- the newest of these: blocks, each behind its length
    -- how often the clicks were cleared: those of earlier eras count for all links only
    era     integer NOT NULL DEFAULT 0,
    PRIMARY KEY (code, link_id)
);

-- All clicks of each link of a range, in the order of their IDs: unsigned varints. Zeros at the end
-- are left out.
CREATE TABLE click_totals (
    id_range bigint PRIMARY KEY,
    clicks   bytea NOT NULL DEFAULT ''
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

-- The counts of finished months, each of which is the sum of a month's rows of click_days: of an
-- answer about years these are most of what there is to read.
CREATE TABLE click_months (
    code    text COLLATE "C" NOT NULL,
    link_id bigint NOT NULL,
    month   integer NOT NULL, -- UTC, since January 1970
    -- NULL: to be added up when another day begins; empty: the days must be read one by one
    counts  bytea,
    PRIMARY KEY (code, link_id, month)
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

-- Packed clicks do not get smaller by compression; a row that fits into a page stays in it; rows
-- that are written again and again have room beside them, so that their index need not be touched.
ALTER TABLE link_clicks SET (fillfactor = 70, toast_tuple_target = 8160);
ALTER TABLE click_totals SET (fillfactor = 45, toast_tuple_target = 8160);
ALTER TABLE click_blocks SET (toast_tuple_target = 8160);
ALTER TABLE click_days SET (fillfactor = 70, toast_tuple_target = 8160);
ALTER TABLE click_months SET (toast_tuple_target = 8160);
ALTER TABLE dropped_days SET (toast_tuple_target = 8160);
ALTER TABLE visitors_even SET (fillfactor = 70, toast_tuple_target = 8160);
ALTER TABLE visitors_odd SET (fillfactor = 70, toast_tuple_target = 8160);
ALTER TABLE link_clicks ALTER COLUMN recent SET STORAGE EXTERNAL;
ALTER TABLE click_totals ALTER COLUMN clicks SET STORAGE EXTERNAL;
ALTER TABLE click_blocks ALTER COLUMN clicks SET STORAGE EXTERNAL;
ALTER TABLE click_days ALTER COLUMN counts SET STORAGE EXTERNAL;
ALTER TABLE click_months ALTER COLUMN counts SET STORAGE EXTERNAL;
ALTER TABLE dropped_days ALTER COLUMN counts SET STORAGE EXTERNAL;
ALTER TABLE visitors_even ALTER COLUMN chunk SET STORAGE EXTERNAL;
ALTER TABLE visitors_odd ALTER COLUMN chunk SET STORAGE EXTERNAL;
