-- What is known of clicks, and who may see it.

-- The shares of links. One is looked up by its SHA-256, so that how long that takes tells nothing
-- of the share.
CREATE TABLE shares (
    link_id INTEGER PRIMARY KEY,
    share   BLOB NOT NULL,
    hash    BLOB NOT NULL UNIQUE
) STRICT;

CREATE TRIGGER link_share_deleted AFTER DELETE ON links BEGIN
    DELETE FROM shares WHERE link_id = old.id;
END;

CREATE TRIGGER link_share_moved AFTER UPDATE OF id ON links WHEN old.id <> new.id BEGIN
    UPDATE shares SET link_id = new.id WHERE link_id = old.id;
END;

-- How often the clicks of a link were cleared: those of earlier eras count for all links only.
-- Without a row it is the era 0.
CREATE TABLE link_eras (
    link_id INTEGER PRIMARY KEY,
    era     INTEGER NOT NULL
) STRICT;

CREATE TRIGGER link_era_deleted AFTER DELETE ON links BEGIN
    DELETE FROM link_eras WHERE link_id = old.id;
END;

CREATE TRIGGER link_era_moved AFTER UPDATE OF id ON links WHEN old.id <> new.id BEGIN
    UPDATE link_eras SET link_id = new.id WHERE link_id = old.id;
END;

-- The codes without a link that were asked for most, as terse.UnknownCodes writes them.
CREATE TABLE unknown_codes (
    day   INTEGER NOT NULL, -- UTC, since 1970
    node  TEXT NOT NULL,    -- that counted them: the ID of its journal
    codes BLOB NOT NULL,
    PRIMARY KEY (day, node)
) STRICT;

-- The counts of single clicks that are gone, by link and day, as click_days has them of those that
-- are there.
CREATE TABLE dropped_days (
    link_day INTEGER PRIMARY KEY, -- link_id * 65536 + day
    last     INTEGER NOT NULL,    -- the time of the last of these clicks
    counts   BLOB NOT NULL,
    links    BLOB                 -- of clicks of all links, how many each link has
) STRICT;

CREATE TRIGGER link_dropped_deleted AFTER DELETE ON links BEGIN
    DELETE FROM dropped_days WHERE link_day BETWEEN old.id * 65536 AND old.id * 65536 + 65535;
END;

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
-- all of a day go at once.
CREATE TABLE visitors_even (
    id    INTEGER PRIMARY KEY, -- bucket * 1048576 + number; see 0009
    chunk BLOB NOT NULL
) STRICT;

CREATE TABLE visitors_odd (
    id    INTEGER PRIMARY KEY,
    chunk BLOB NOT NULL
) STRICT;

-- No click from before that day waits in the journal.
ALTER TABLE journal_positions ADD COLUMN day INTEGER NOT NULL DEFAULT 0;
