-- Times are microseconds since 1970, days are UTC days since 1970. Once released, a script is never
-- changed: what comes is added as 0002 and so on. Where a click is: internal/sqlite/counter/doc.go.

CREATE TABLE links (
    id         INTEGER PRIMARY KEY AUTOINCREMENT, -- never used again
    code       TEXT NOT NULL UNIQUE,
    url        TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    created_by TEXT NOT NULL,
    updated_at INTEGER NOT NULL DEFAULT 0, -- 0: never; grows with each change
    options    TEXT NOT NULL DEFAULT ''    -- JSON; empty for a plain link
) STRICT;

CREATE INDEX links_by_owner ON links (created_by, created_at DESC, id DESC);

-- How many links each owner has, so that a list's total costs nothing. Triggers keep it right for
-- rows that an operator writes by hand, too.
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

-- Clicks are pending in buckets of 256 links whose IDs are neighbours, until they are rolled up
-- into click_days and click_blocks link by link: a row for many links is written as quickly as a
-- row for one. A bucket with a clicked link has one row here, with its newest clicks.
CREATE TABLE click_buckets (
    id          INTEGER PRIMARY KEY, -- link_id >> 8
    -- JSON array: all clicks of each link, at offset link_id & 255; zeros at the end are left out
    clicks      TEXT NOT NULL,
    pending     TEXT NOT NULL,       -- the same for the clicks that are not rolled up
    block_bytes INTEGER NOT NULL,    -- in the bucket's rows of bucket_blocks
    recent      BLOB NOT NULL        -- the newest pending clicks as one block
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

-- Up to where each click journal is counted.
CREATE TABLE journal_positions (
    journal  TEXT PRIMARY KEY NOT NULL,
    position INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- For an operator: how many clicks each link has.
CREATE VIEW link_clicks AS
    SELECT id AS link_id,
        coalesce((SELECT clicks ->> (links.id & 255) FROM click_buckets
            WHERE click_buckets.id = links.id >> 8), 0) AS clicks
    FROM links;

-- A statement that may have to be taken back by itself, because it writes more than one row and a
-- constraint or a function can abort it, keeps a copy of each page that it changes: for an insert
-- into links and its counts a third of the CPU time. INSERT OR FAIL takes nothing back, here
-- neither, so that the triggers of an insert use no functions. No constraint can fail in them.
CREATE TRIGGER link_inserted AFTER INSERT ON links BEGIN
    INSERT INTO owners VALUES (new.created_by, 0) ON CONFLICT DO NOTHING;
    UPDATE owners SET links = links + 1 WHERE created_by = new.created_by;
END;

CREATE TRIGGER link_range_inserted AFTER INSERT ON links BEGIN
    INSERT INTO link_ranges
        VALUES (new.created_by, new.id >> 10, 0, new.created_at, new.created_at)
        ON CONFLICT DO NOTHING;
    UPDATE link_ranges SET links = links + 1,
        first = CASE WHEN first < new.created_at THEN first ELSE new.created_at END,
        last = CASE WHEN last > new.created_at THEN last ELSE new.created_at END
        WHERE created_by = new.created_by AND id_range = new.id >> 10;
END;

CREATE TRIGGER link_given AFTER UPDATE OF created_by ON links BEGIN
    UPDATE owners SET links = links - 1 WHERE created_by = old.created_by;
    INSERT INTO owners (created_by, links) VALUES (new.created_by, 1)
        ON CONFLICT (created_by) DO UPDATE SET links = links + 1;
END;

CREATE TRIGGER link_range_updated AFTER UPDATE OF id, created_by, created_at ON links BEGIN
    UPDATE link_ranges SET links = links - 1
        WHERE created_by = old.created_by AND id_range = old.id >> 10;
    INSERT INTO link_ranges VALUES (new.created_by, new.id >> 10, 1, new.created_at, new.created_at)
        ON CONFLICT (created_by, id_range) DO UPDATE SET
            links = links + 1,
            first = min(first, excluded.first), last = max(last, excluded.last);
    DELETE FROM link_ranges
        WHERE created_by = old.created_by AND id_range = old.id >> 10 AND links = 0;
END;

CREATE TRIGGER link_deleted AFTER DELETE ON links BEGIN
    UPDATE owners SET links = links - 1 WHERE created_by = old.created_by;
    DELETE FROM click_days WHERE link_day BETWEEN old.id * 65536 AND old.id * 65536 + 65535;
    DELETE FROM click_blocks WHERE link_id = old.id;
    INSERT OR IGNORE INTO buckets_to_clean
        SELECT id FROM click_buckets WHERE id = old.id >> 8 AND clicks ->> (old.id & 255) > 0;
    UPDATE click_buckets SET clicks = json_replace(clicks, '$[' || (old.id & 255) || ']', 0)
        WHERE id = old.id >> 8 AND clicks ->> (old.id & 255) > 0;
END;

CREATE TRIGGER link_range_deleted AFTER DELETE ON links BEGIN
    UPDATE link_ranges SET links = links - 1
        WHERE created_by = old.created_by AND id_range = old.id >> 10;
    DELETE FROM link_ranges
        WHERE created_by = old.created_by AND id_range = old.id >> 10 AND links = 0;
END;
