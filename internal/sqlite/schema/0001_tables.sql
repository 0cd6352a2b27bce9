-- Version 1 of the schema. A script never changes once it was released: what comes is 0002 and so
-- on. Times are microseconds since 1970, days are UTC days since 1970. The server writes what
-- options mean; triggers keep right what follows from the rows of links, also where an operator
-- writes them by hand.

-- Links -------------------------------------------------------------------------------------------

CREATE TABLE links (
    id         INTEGER PRIMARY KEY AUTOINCREMENT, -- never used again, never changed
    code       TEXT NOT NULL UNIQUE,              -- leaves a character for a domain in front of it
    url        TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    created_by TEXT NOT NULL,
    updated_at INTEGER NOT NULL DEFAULT 0, -- 0: never; grows with each change
    options    TEXT NOT NULL DEFAULT '',   -- JSON; empty for a plain link
    ended      INTEGER NOT NULL DEFAULT 0  -- as link_states has the status
) STRICT;

CREATE INDEX links_by_owner ON links (created_by, created_at DESC, id DESC);

-- The newest link to a URL that has not ended: those that ended are not in the way, however many
-- they are. Each create writes a page of this index.
CREATE INDEX links_to_url ON links (url, created_at DESC, id DESC) WHERE ended = 0;

-- The codes that a link had before the one it has. Clicks may still come from them.
CREATE TABLE former_codes (
    link_id INTEGER NOT NULL,
    code    TEXT NOT NULL,
    PRIMARY KEY (link_id, code)
) STRICT, WITHOUT ROWID;

-- The links that can be anything but active.
CREATE TABLE link_states (
    link_id    INTEGER PRIMARY KEY,
    owner      TEXT NOT NULL,
    disabled   INTEGER NOT NULL,
    starts_at  INTEGER NOT NULL, -- the least number: none
    expires_at INTEGER NOT NULL, -- the largest number: none
    max_clicks INTEGER NOT NULL, -- 0: none
    used       INTEGER NOT NULL, -- of max_clicks
    status     TEXT NOT NULL,    -- as link_sets has it
    -- status holds from the one to before the other; the least and the largest number: for ever
    since      INTEGER NOT NULL,
    until      INTEGER NOT NULL
) STRICT;

CREATE INDEX link_states_until ON link_states (owner, until) WHERE until < 9223372036854775807;
CREATE INDEX link_states_since ON link_states (owner, since) WHERE since > -9223372036854775808;

-- The last changes of each link.
CREATE TABLE link_changes (
    link_id    INTEGER NOT NULL,
    time       INTEGER NOT NULL, -- the updated_at that the link got
    by         TEXT NOT NULL,
    request_id TEXT NOT NULL,
    fields     TEXT NOT NULL,    -- JSON
    PRIMARY KEY (link_id, time)
) STRICT, WITHOUT ROWID;

-- The shares of links. One is looked up by its SHA-256, so that how long that takes tells nothing
-- of the share.
CREATE TABLE shares (
    link_id INTEGER PRIMARY KEY,
    share   BLOB NOT NULL,
    hash    BLOB NOT NULL UNIQUE
) STRICT;

-- Answers to requests with an idempotency key.
CREATE TABLE answers (
    key     BLOB PRIMARY KEY NOT NULL,
    kept_at INTEGER NOT NULL,
    request BLOB NOT NULL,
    status  INTEGER NOT NULL,
    etag    TEXT NOT NULL,
    body    BLOB NOT NULL
) STRICT;

CREATE INDEX answers_by_age ON answers (kept_at);

-- The codes without a link that were asked for most, as terse.UnknownCodes writes them.
CREATE TABLE unknown_codes (
    day   INTEGER NOT NULL,
    node  TEXT NOT NULL, -- that counted them: the ID of its journal
    codes BLOB NOT NULL,
    PRIMARY KEY (day, node)
) STRICT;

-- What lists combine and count --------------------------------------------------------------------

-- How many links each owner has.
CREATE TABLE owners (
    created_by TEXT PRIMARY KEY NOT NULL,
    links      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- How many links each owner has in each range of 1,024 IDs, and bounds of when those were made (a
-- delete leaves the bounds as they are), so that a page deep in a list is found without reading
-- what precedes it. Links are usually in the order of their IDs; where they are not, the bounds
-- show it.
CREATE TABLE link_ranges (
    created_by TEXT NOT NULL,
    id_range   INTEGER NOT NULL, -- id >> 10
    links      INTEGER NOT NULL,
    first      INTEGER NOT NULL, -- no created_at is less
    last       INTEGER NOT NULL, -- no created_at is more
    PRIMARY KEY (created_by, id_range)
) STRICT, WITHOUT ROWID;

-- How often links of each range of 1,024 IDs were changed or deleted. With how many there are it
-- shows whether what a search read of a range is still true.
CREATE TABLE link_range_changes (
    id_range INTEGER PRIMARY KEY,
    changes  INTEGER NOT NULL
) STRICT;

-- Which links have a tag or a status, 64 in a row. Active links are in no set of a status.
CREATE TABLE link_sets (
    owner    TEXT NOT NULL,
    name     TEXT NOT NULL,    -- a status, or # and a folded tag
    id_range INTEGER NOT NULL, -- id >> 6
    links    INTEGER NOT NULL, -- bit id & 63
    PRIMARY KEY (owner, name, id_range)
) STRICT, WITHOUT ROWID;

CREATE INDEX link_sets_of_link ON link_sets (id_range);

-- The tags that links have, as their owner spells them.
CREATE TABLE tags (
    owner TEXT NOT NULL,
    tag   TEXT NOT NULL,    -- folded
    name  TEXT NOT NULL,
    links INTEGER NOT NULL, -- how many have it
    PRIMARY KEY (owner, tag)
) STRICT, WITHOUT ROWID;

-- A statement that may have to be taken back by itself, because it writes more than one row and a
-- constraint or a function can abort it, keeps a copy of each page that it changes: for an insert
-- into links and its counts a third of the CPU time. INSERT OR FAIL takes nothing back, here
-- neither, so that this trigger uses no functions. No constraint can fail in it.
CREATE TRIGGER link_inserted AFTER INSERT ON links BEGIN
    INSERT INTO owners VALUES (new.created_by, 0) ON CONFLICT DO NOTHING;
    UPDATE owners SET links = links + 1 WHERE created_by = new.created_by;
    INSERT INTO link_ranges
        VALUES (new.created_by, new.id >> 10, 0, new.created_at, new.created_at)
        ON CONFLICT DO NOTHING;
    UPDATE link_ranges SET links = links + 1,
        first = CASE WHEN first < new.created_at THEN first ELSE new.created_at END,
        last = CASE WHEN last > new.created_at THEN last ELSE new.created_at END
        WHERE created_by = new.created_by AND id_range = new.id >> 10;
END;

CREATE TRIGGER link_id_stays BEFORE UPDATE OF id ON links WHEN old.id <> new.id BEGIN
    SELECT RAISE(ABORT, 'the ID of a link must not change: its clicks are kept under it');
END;

CREATE TRIGGER link_range_updated AFTER UPDATE OF created_by, created_at ON links BEGIN
    UPDATE link_ranges SET links = links - 1
        WHERE created_by = old.created_by AND id_range = old.id >> 10;
    INSERT INTO link_ranges VALUES (new.created_by, new.id >> 10, 1, new.created_at, new.created_at)
        ON CONFLICT DO UPDATE SET links = links + 1,
            first = min(first, excluded.first), last = max(last, excluded.last);
    DELETE FROM link_ranges
        WHERE created_by = old.created_by AND id_range = old.id >> 10 AND links = 0;
END;

CREATE TRIGGER link_given AFTER UPDATE OF created_by ON links
    WHEN old.created_by <> new.created_by BEGIN
    UPDATE owners SET links = links - 1 WHERE created_by = old.created_by;
    INSERT INTO owners VALUES (new.created_by, 1) ON CONFLICT DO UPDATE SET links = links + 1;
    UPDATE link_states SET owner = new.created_by WHERE link_id = old.id;
    INSERT INTO tags
        SELECT new.created_by, tag, name, 1 FROM tags
        WHERE owner = old.created_by AND tag IN (SELECT substr(name, 2) FROM link_sets
            WHERE id_range = old.id >> 6 AND owner = old.created_by AND name LIKE '#%'
                AND links & (1 << (old.id & 63)) <> 0)
        ON CONFLICT DO UPDATE SET links = links + 1;
    UPDATE tags SET links = links - 1
        WHERE owner = old.created_by AND tag IN (SELECT substr(name, 2) FROM link_sets
            WHERE id_range = old.id >> 6 AND owner = old.created_by AND name LIKE '#%'
                AND links & (1 << (old.id & 63)) <> 0);
    DELETE FROM tags WHERE owner = old.created_by AND links = 0;
    INSERT INTO link_sets
        SELECT new.created_by, name, id_range, 1 << (old.id & 63) FROM link_sets
        WHERE id_range = old.id >> 6 AND owner = old.created_by
            AND links & (1 << (old.id & 63)) <> 0
        ON CONFLICT DO UPDATE SET links = links | excluded.links;
    UPDATE link_sets SET links = links & ~(1 << (old.id & 63))
        WHERE id_range = old.id >> 6 AND owner = old.created_by;
    DELETE FROM link_sets WHERE id_range = old.id >> 6 AND links = 0;
END;

CREATE TRIGGER link_changed
    AFTER UPDATE OF code, url, created_at, created_by, options ON links BEGIN
    INSERT INTO link_range_changes VALUES (old.id >> 10, 1)
        ON CONFLICT DO UPDATE SET changes = changes + 1;
END;

CREATE TRIGGER link_deleted AFTER DELETE ON links BEGIN
    UPDATE owners SET links = links - 1 WHERE created_by = old.created_by;
    UPDATE link_ranges SET links = links - 1
        WHERE created_by = old.created_by AND id_range = old.id >> 10;
    DELETE FROM link_ranges
        WHERE created_by = old.created_by AND id_range = old.id >> 10 AND links = 0;
    INSERT INTO link_range_changes VALUES (old.id >> 10, 1)
        ON CONFLICT DO UPDATE SET changes = changes + 1;
    DELETE FROM former_codes WHERE link_id = old.id;
    DELETE FROM link_states WHERE link_id = old.id;
    DELETE FROM link_changes WHERE link_id = old.id;
    DELETE FROM shares WHERE link_id = old.id;
    UPDATE tags SET links = links - 1
        WHERE owner = old.created_by AND tag IN (SELECT substr(name, 2) FROM link_sets
            WHERE id_range = old.id >> 6 AND owner = old.created_by AND name LIKE '#%'
                AND links & (1 << (old.id & 63)) <> 0);
    DELETE FROM tags
        WHERE links = 0 AND owner = old.created_by AND tag IN (SELECT substr(name, 2) FROM link_sets
            WHERE id_range = old.id >> 6 AND owner = old.created_by AND name LIKE '#%'
                AND links & (1 << (old.id & 63)) <> 0);
    UPDATE link_sets SET links = links & ~(1 << (old.id & 63))
        WHERE id_range = old.id >> 6 AND owner = old.created_by
            AND links & (1 << (old.id & 63)) <> 0;
    DELETE FROM link_sets WHERE id_range = old.id >> 6 AND links = 0;
END;

-- Clicks ------------------------------------------------------------------------------------------
-- Where a click is: internal/sqlite/counter/doc.go.

-- Up to where each click journal is counted. No click from before the day waits in it.
CREATE TABLE journal_positions (
    journal  TEXT PRIMARY KEY NOT NULL,
    position INTEGER NOT NULL,
    day      INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

-- The clicks of all links of an owner are counted together, as if they were those of one more link:
-- its ID, which is negative, and has a bucket to itself.
CREATE TABLE click_owners (
    created_by TEXT PRIMARY KEY NOT NULL,
    link_id    INTEGER NOT NULL UNIQUE
) STRICT, WITHOUT ROWID;

-- The least ID that can have days. Those of other owners follow.
INSERT INTO click_owners VALUES ('authenticated-user', -140737488355328);

-- How often the clicks of a link were cleared: those of earlier eras count for all links only.
-- Without a row it is the era 0.
CREATE TABLE link_eras (
    link_id INTEGER PRIMARY KEY,
    era     INTEGER NOT NULL
) STRICT;

-- The newest clicks of 4,096 links whose IDs are neighbours, which become pending when they are
-- many: so a batch that is spread over many links writes few rows.
CREATE TABLE new_clicks (
    id     INTEGER PRIMARY KEY, -- (link_id >> 12) * 256 + number
    first  INTEGER NOT NULL,
    last   INTEGER NOT NULL,
    clicks BLOB NOT NULL
) STRICT;

-- Clicks are pending in buckets of 256 links whose IDs are neighbours, until they are rolled up
-- into click_days and click_blocks link by link: a row for many links is written as quickly as a
-- row for one. A bucket with a clicked link has one row here, with its newest clicks.
CREATE TABLE click_buckets (
    id          INTEGER PRIMARY KEY, -- link_id >> 8
    -- JSON array: the clicks of each link that are not rolled up, at offset link_id & 255; zeros at
    -- the end are left out
    pending     TEXT NOT NULL,
    block_bytes INTEGER NOT NULL,    -- in the bucket's rows of bucket_blocks
    recent      BLOB NOT NULL        -- the newest pending clicks as one block
) STRICT;

-- The clicks of a bucket's links, in a table of their own: a list by clicks reads them all, and the
-- rest of a bucket has a page to itself.
CREATE TABLE click_totals (
    id     INTEGER PRIMARY KEY, -- as in click_buckets, where each has a row, too
    clicks TEXT NOT NULL        -- as pending there, but all clicks of each link
) STRICT;

-- Older pending clicks.
CREATE TABLE bucket_blocks (
    id     INTEGER PRIMARY KEY, -- bucket * 65536 + number
    first  INTEGER NOT NULL,
    last   INTEGER NOT NULL,
    clicks BLOB NOT NULL
) STRICT;

-- Buckets that hold clicks of links that were deleted, until the next clicks are counted.
CREATE TABLE buckets_to_clean (id INTEGER PRIMARY KEY) STRICT;

-- The aggregated clicks of a day, counted by every value of every dimension. Link and day are one
-- number, because a row of 1 to 4 KB is then read from its page as it lies; WITHOUT ROWID it would
-- have overflow pages.
CREATE TABLE click_days (
    link_day INTEGER PRIMARY KEY, -- link_id * 65536 + day
    counts   BLOB NOT NULL
) STRICT;

-- The counts of finished months, each of which is the sum of a month's rows of click_days: of an
-- answer about years these are most of what there is to read.
CREATE TABLE click_months (
    link_month INTEGER PRIMARY KEY, -- link_id * 4096 + month, in UTC, since 1970
    -- NULL: to be added up when another day begins; empty: the days must be read one by one
    counts     BLOB
) STRICT;

-- The clicks that are rolled up. Day -1: mixed clicks, of several days, which are in no row of
-- click_days.
CREATE TABLE click_blocks (
    link_id INTEGER NOT NULL,
    day     INTEGER NOT NULL,
    seq     INTEGER NOT NULL,
    first   INTEGER NOT NULL,
    last    INTEGER NOT NULL,
    clicks  BLOB NOT NULL,
    PRIMARY KEY (link_id, day, seq)
) STRICT, WITHOUT ROWID;

-- The counts of single clicks that are gone, by link and day, as click_days has them of those that
-- are there.
CREATE TABLE dropped_days (
    link_day INTEGER PRIMARY KEY, -- link_id * 65536 + day
    last     INTEGER NOT NULL,    -- the time of the last of these clicks
    counts   BLOB NOT NULL,
    links    BLOB                 -- of clicks of all links, how many each link has
) STRICT;

-- What the visitors of a day are hashed with, until it is over.
CREATE TABLE visitor_keys (
    day INTEGER PRIMARY KEY,
    key BLOB NOT NULL
) STRICT;

-- The last days that had a key.
CREATE TABLE visitor_days (
    day  INTEGER PRIMARY KEY,
    kept INTEGER NOT NULL -- whether its hashes are
) STRICT;

-- Hashes of visitors, in the chunks of internal/visitors: those of even and of odd days, so that
-- all of a day go at once. The first chunks of all buckets come first, then their second ones:
-- those that a batch writes lie side by side, instead of each in a page of its own.
CREATE TABLE visitors_even (
    id    INTEGER PRIMARY KEY, -- number << 40 | bucket
    chunk BLOB NOT NULL
) STRICT;

CREATE TABLE visitors_odd (
    id    INTEGER PRIMARY KEY,
    chunk BLOB NOT NULL
) STRICT;

-- For an operator: how many clicks each link has.
CREATE VIEW link_clicks AS
    SELECT id AS link_id,
        coalesce((SELECT clicks ->> (links.id & 255) FROM click_totals
            WHERE click_totals.id = links.id >> 8), 0) AS clicks
    FROM links;

CREATE TRIGGER link_clicks_deleted AFTER DELETE ON links BEGIN
    DELETE FROM link_eras WHERE link_id = old.id;
    DELETE FROM click_days WHERE link_day BETWEEN old.id * 65536 AND old.id * 65536 + 65535;
    DELETE FROM click_months WHERE link_month BETWEEN old.id * 4096 AND old.id * 4096 + 4095;
    DELETE FROM dropped_days WHERE link_day BETWEEN old.id * 65536 AND old.id * 65536 + 65535;
    DELETE FROM click_blocks WHERE link_id = old.id;
    INSERT OR IGNORE INTO buckets_to_clean
        SELECT id FROM click_totals WHERE id = old.id >> 8 AND clicks ->> (old.id & 255) > 0;
    UPDATE click_totals SET clicks = json_replace(clicks, '$[' || (old.id & 255) || ']', 0)
        WHERE id = old.id >> 8 AND clicks ->> (old.id & 255) > 0;
END;
