-- Times are microseconds since 1970, days are UTC days since 1970.

CREATE TABLE links (
    id         INTEGER PRIMARY KEY AUTOINCREMENT, -- never used again
    code       TEXT NOT NULL UNIQUE,
    url        TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    created_by TEXT NOT NULL
) STRICT;

CREATE INDEX links_by_owner ON links (created_by, created_at DESC, id DESC);

-- How many links each owner has, so that a list's total costs nothing. Triggers keep it right for
-- rows that an operator writes by hand, too.
CREATE TABLE owners (
    created_by TEXT PRIMARY KEY NOT NULL,
    links      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- One small row per clicked link: all its clicks, and those that are not sealed yet as one block.
CREATE TABLE link_clicks (
    link_id INTEGER PRIMARY KEY,
    clicks  INTEGER NOT NULL,
    recent  BLOB NOT NULL
) STRICT;

-- The sealed clicks of a day, counted by every value of every dimension. Link and day are one number, because
-- a row of 1 to 4 KB is then read from its page as it lies; WITHOUT ROWID it would have overflow pages.
CREATE TABLE click_days (
    link_day INTEGER PRIMARY KEY, -- link_id * 65536 + day
    counts   BLOB NOT NULL
) STRICT;

-- The sealed clicks themselves. Day -1: quiet clicks of several days, which are in no row of click_days.
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

CREATE TRIGGER link_inserted AFTER INSERT ON links BEGIN
    INSERT INTO owners (created_by, links) VALUES (new.created_by, 1)
        ON CONFLICT (created_by) DO UPDATE SET links = links + 1;
END;

CREATE TRIGGER link_given AFTER UPDATE OF created_by ON links BEGIN
    UPDATE owners SET links = links - 1 WHERE created_by = old.created_by;
    INSERT INTO owners (created_by, links) VALUES (new.created_by, 1)
        ON CONFLICT (created_by) DO UPDATE SET links = links + 1;
END;

CREATE TRIGGER link_deleted AFTER DELETE ON links BEGIN
    UPDATE owners SET links = links - 1 WHERE created_by = old.created_by;
    DELETE FROM link_clicks WHERE link_id = old.id;
    DELETE FROM click_days WHERE link_day BETWEEN old.id * 65536 AND old.id * 65536 + 65535;
    DELETE FROM click_blocks WHERE link_id = old.id;
END;
