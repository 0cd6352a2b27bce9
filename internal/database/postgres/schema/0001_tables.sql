-- Version 1 of the schema. A script never changes once released: changes go into 0002 and so on.
-- Times are microseconds since 1970, days are UTC days since 1970. Everything that belongs to a
-- link is keyed by the link's code, so that a distributed engine keeps it in one place, and by its
-- ID, so that a reused code inherits nothing.

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
    used       bigint NOT NULL DEFAULT 0, -- of its max_clicks
    -- Derived from options and used when they were written.
    open_until bigint NOT NULL DEFAULT 9223372036854775807, -- disabled, expired or used up then
    tags       text NOT NULL DEFAULT '', -- whose sets in link_sets have the link: folded, by lines
    status     text NOT NULL DEFAULT '', -- whose set has it; empty: always active
    -- status is valid from since until before until. NULL: for ever
    since      bigint,
    until      bigint
);

CREATE INDEX links_by_owner ON links (created_by, created_at DESC, id DESC);
CREATE INDEX links_by_id ON links (id);

-- Finds an owner's newest link to a URL that has not ended, by the index alone, however many have
-- ended. A hash stands for owner and URL, because a URL may be too long for an index.
CREATE INDEX links_to_url ON links (
    hashtextextended(url, hashtextextended(created_by, 0)), created_at DESC, id DESC, open_until
);

-- The links whose status changes with time.
CREATE INDEX links_until ON links (until) WHERE until IS NOT NULL;
CREATE INDEX links_since ON links (since) WHERE since IS NOT NULL;

-- The former codes of links. Clicks on them may still arrive.
CREATE TABLE former_codes (
    link_id bigint NOT NULL,
    code    text COLLATE "C" NOT NULL,
    PRIMARY KEY (link_id, code)
);

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

-- The shares of links. A share is looked up by its SHA-256, so that the time of the look-up reveals
-- nothing about it.
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

-- The most requested codes without a link, as encoded by terse.UnknownCodes.
CREATE TABLE unknown_codes (
    day   integer NOT NULL,
    node  text COLLATE "C" NOT NULL, -- that counted them: the ID of its journal
    codes bytea NOT NULL,
    PRIMARY KEY (day, node)
);

-- What lists combine and count --------------------------------------------------------------------

-- The number of links of each owner in each range of 1,024 IDs, and bounds of their creation times.
-- The number is a sum of several rows, because nodes would queue for a single one. Deletes do not
-- change the bounds.
CREATE TABLE link_ranges (
    owner    text COLLATE "C" NOT NULL,
    id_range bigint NOT NULL, -- id >> 10
    slot     integer NOT NULL,
    links    bigint NOT NULL,
    first    bigint NOT NULL, -- no created_at is less
    last     bigint NOT NULL, -- no created_at is more
    PRIMARY KEY (owner, id_range, slot)
);

-- The links of an owner with a tag or a status. Bit 0, the leftmost, is the first ID of a range.
-- Active links are in no set of a status.
CREATE TABLE link_sets (
    owner    text COLLATE "C" NOT NULL,
    name     text COLLATE "C" NOT NULL, -- a status, or # and a folded tag
    id_range bigint NOT NULL,
    links    bit(1024) NOT NULL,
    PRIMARY KEY (owner, name, id_range)
);

-- An owner's spelling of a tag, and the number of its links.
CREATE TABLE tags (
    owner text COLLATE "C" NOT NULL,
    tag   text COLLATE "C" NOT NULL, -- folded
    name  text NOT NULL,
    links bigint NOT NULL,
    PRIMARY KEY (owner, tag)
);

-- Frequently updated rows have free space in their pages.
ALTER TABLE link_ranges SET (fillfactor = 70);
ALTER TABLE link_sets SET (fillfactor = 70);
ALTER TABLE tags SET (fillfactor = 70);

-- Clicks ------------------------------------------------------------------------------------------

-- The position up to which each click journal is counted. No uncounted click in it is older than
-- the day.
CREATE TABLE journals (
    journal  text COLLATE "C" PRIMARY KEY,
    position bigint NOT NULL,
    day      integer NOT NULL DEFAULT 0
);

-- The numbers of owners, from 1 on.
CREATE TABLE owner_numbers (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    owner  text COLLATE "C" NOT NULL UNIQUE
);

-- The links that were deleted, or got another code or owner. The transaction that changes a link
-- writes the row. The next transaction that counts assigns numbers, so that they are in the order
-- of commits. A row is deleted when it is applied and a day old, except the newest, so that there
-- is always one.
CREATE TABLE tombstones (
    id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    link_id bigint NOT NULL,
    code    text COLLATE "C" NOT NULL,
    deleted boolean NOT NULL, -- false: the link has another code or owner
    applied boolean NOT NULL, -- whether the rows of the deleted link are gone
    number  bigint UNIQUE,    -- NULL: to be given
    random  bigint,           -- tells apart histories after a restore
    at      bigint            -- when it was given, in microseconds since 1970
);
CREATE INDEX tombstones_by_link ON tombstones (link_id);
CREATE INDEX tombstones_to_number ON tombstones (id) WHERE number IS NULL;
CREATE INDEX tombstones_to_apply ON tombstones (number) WHERE NOT applied;
INSERT INTO tombstones (link_id, code, deleted, applied, number, random, at)
    VALUES (0, '', false, true, 1, (random() * 9e18)::bigint,
        (extract(epoch FROM now()) * 1e6)::bigint);

-- The keys that hash the visitors of a day, until it is over.
CREATE TABLE visitor_keys (
    day integer PRIMARY KEY,
    key bytea NOT NULL
);

-- The last days that had a key.
CREATE TABLE visitor_days (
    day  integer PRIMARY KEY,
    kept boolean NOT NULL -- whether its hashes are
);

-- The rows of internal/clickstore, which describes their contents. Keys begin with a part, by which
-- Citus distributes them. All rows of a link are in one part. first and last are the times of a
-- row's first and last click in microseconds since 1970, 0 in rows without clicks.

-- Rows that are written once. The index finds old ones.
CREATE TABLE level0 (
    part  smallint NOT NULL,
    a     bigint NOT NULL,
    b     bigint NOT NULL,
    first bigint NOT NULL,
    last  bigint NOT NULL,
    value bytea NOT NULL,
    PRIMARY KEY (part, a, b) INCLUDE (first, last)
);

CREATE TABLE level1 (
    part  smallint NOT NULL,
    a     bigint NOT NULL,
    b     bigint NOT NULL,
    first bigint NOT NULL,
    last  bigint NOT NULL,
    value bytea NOT NULL,
    PRIMARY KEY (part, a, b) INCLUDE (first, last)
);

CREATE TABLE level2 (
    part  smallint NOT NULL,
    a     bigint NOT NULL,
    b     bigint NOT NULL,
    first bigint NOT NULL,
    last  bigint NOT NULL,
    value bytea NOT NULL,
    PRIMARY KEY (part, a, b) INCLUDE (first, last)
);

-- Hashes of visitors.
CREATE TABLE visitor_hashes_even (
    part  smallint NOT NULL,
    a     bigint NOT NULL,
    b     bigint NOT NULL,
    first bigint NOT NULL,
    last  bigint NOT NULL,
    value bytea NOT NULL,
    PRIMARY KEY (part, a, b)
);

CREATE TABLE visitor_hashes_odd (
    part  smallint NOT NULL,
    a     bigint NOT NULL,
    b     bigint NOT NULL,
    first bigint NOT NULL,
    last  bigint NOT NULL,
    value bytea NOT NULL,
    PRIMARY KEY (part, a, b)
);

-- Frequently updated rows.
CREATE TABLE totals (
    part  smallint NOT NULL,
    a     bigint NOT NULL,
    b     bigint NOT NULL,
    first bigint NOT NULL,
    last  bigint NOT NULL,
    value bytea NOT NULL,
    PRIMARY KEY (part, a, b)
);

CREATE TABLE day_counts (
    part  smallint NOT NULL,
    a     bigint NOT NULL,
    b     bigint NOT NULL,
    first bigint NOT NULL,
    last  bigint NOT NULL,
    value bytea NOT NULL,
    PRIMARY KEY (part, a, b)
);

CREATE TABLE month_counts (
    part  smallint NOT NULL,
    a     bigint NOT NULL,
    b     bigint NOT NULL,
    first bigint NOT NULL,
    last  bigint NOT NULL,
    value bytea NOT NULL,
    PRIMARY KEY (part, a, b)
);

CREATE TABLE dropped_counts (
    part  smallint NOT NULL,
    a     bigint NOT NULL,
    b     bigint NOT NULL,
    first bigint NOT NULL,
    last  bigint NOT NULL,
    value bytea NOT NULL,
    PRIMARY KEY (part, a, b)
);

-- Packed clicks and counts do not compress, and a row that fits into a page stays in it. Tables of
-- frequently updated rows keep half of each page free. So the next version of a row fits into the
-- same page, the index needs no update, and old versions disappear without a vacuum.
ALTER TABLE level0 SET (toast_tuple_target = 8160);
ALTER TABLE level1 SET (toast_tuple_target = 8160);
ALTER TABLE level2 SET (toast_tuple_target = 8160);
ALTER TABLE visitor_hashes_even SET (toast_tuple_target = 8160);
ALTER TABLE visitor_hashes_odd SET (toast_tuple_target = 8160);
ALTER TABLE totals SET (fillfactor = 50, toast_tuple_target = 8160);
ALTER TABLE day_counts SET (fillfactor = 50, toast_tuple_target = 8160);
ALTER TABLE month_counts SET (fillfactor = 50, toast_tuple_target = 8160);
ALTER TABLE dropped_counts SET (fillfactor = 50, toast_tuple_target = 8160);
ALTER TABLE level0 ALTER COLUMN value SET STORAGE EXTERNAL;
ALTER TABLE level1 ALTER COLUMN value SET STORAGE EXTERNAL;
ALTER TABLE level2 ALTER COLUMN value SET STORAGE EXTERNAL;
ALTER TABLE visitor_hashes_even ALTER COLUMN value SET STORAGE EXTERNAL;
ALTER TABLE visitor_hashes_odd ALTER COLUMN value SET STORAGE EXTERNAL;
ALTER TABLE totals ALTER COLUMN value SET STORAGE EXTERNAL;
ALTER TABLE day_counts ALTER COLUMN value SET STORAGE EXTERNAL;
ALTER TABLE month_counts ALTER COLUMN value SET STORAGE EXTERNAL;
ALTER TABLE dropped_counts ALTER COLUMN value SET STORAGE EXTERNAL;

-- ANALYZE, which autovacuum runs, copies values of a column into pg_statistic, where TRUNCATE
-- leaves them. Nothing of a day's visitors may outlive it, so there are no statistics of keys and
-- hashes.
ALTER TABLE visitor_keys ALTER COLUMN key SET STATISTICS 0;
ALTER TABLE visitor_hashes_even ALTER COLUMN value SET STATISTICS 0;
ALTER TABLE visitor_hashes_odd ALTER COLUMN value SET STATISTICS 0;

-- On Citus, the number of transactions that have read or written each part: as seen by the part's
-- worker in click_guards, and by the coordinator in click_parts. Elsewhere they are empty.
CREATE TABLE click_guards (
    part   smallint PRIMARY KEY,
    number bigint NOT NULL
);
CREATE TABLE click_parts (
    part   smallint PRIMARY KEY,
    number bigint NOT NULL
);
ALTER TABLE click_guards SET (fillfactor = 50);
ALTER TABLE click_parts SET (fillfactor = 50);
