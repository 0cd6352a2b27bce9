-- Version 1 of the schema. A script never changes once released: changes go into 0002 and so on.
-- Times are microseconds since 1970, days are UTC days since 1970. The server writes rows that
-- follow from options. Triggers maintain rows that follow from links, even if an operator changes
-- links by hand.

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

-- Finds the newest link to a URL that has not ended, however many have ended. Each create writes a
-- page of this index.
CREATE INDEX links_to_url ON links (url, created_at DESC, id DESC) WHERE ended = 0;

-- The former codes of links. Clicks on them may still arrive.
CREATE TABLE former_codes (
    link_id INTEGER NOT NULL,
    code    TEXT NOT NULL,
    PRIMARY KEY (link_id, code)
) STRICT, WITHOUT ROWID;

-- The links that can have a status other than active.
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

CREATE INDEX link_states_until ON link_states (until) WHERE until < 9223372036854775807;
CREATE INDEX link_states_since ON link_states (since) WHERE since > -9223372036854775808;

-- The last changes of each link.
CREATE TABLE link_changes (
    link_id    INTEGER NOT NULL,
    time       INTEGER NOT NULL, -- the updated_at that the link got
    by         TEXT NOT NULL,
    request_id TEXT NOT NULL,
    fields     TEXT NOT NULL,    -- JSON
    PRIMARY KEY (link_id, time)
) STRICT, WITHOUT ROWID;

-- The shares of links. A share is looked up by its SHA-256, so that the time of the look-up reveals
-- nothing about it.
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

-- The most requested codes without a link, as encoded by terse.UnknownCodes.
CREATE TABLE unknown_codes (
    day   INTEGER NOT NULL,
    node  TEXT NOT NULL, -- that counted them: the ID of its journal
    codes BLOB NOT NULL,
    PRIMARY KEY (day, node)
) STRICT;

-- What lists combine and count --------------------------------------------------------------------

-- The number of links of each owner in each range of 1,024 IDs, and bounds of their creation times
-- (deletes do not change the bounds). With them a page deep in a list is found without reading the
-- pages before it. Links are usually in the order of their IDs; where they are not, the bounds show
-- it.
CREATE TABLE link_ranges (
    created_by TEXT NOT NULL,
    id_range   INTEGER NOT NULL, -- id >> 10
    links      INTEGER NOT NULL,
    first      INTEGER NOT NULL, -- no created_at is less
    last       INTEGER NOT NULL, -- no created_at is more
    PRIMARY KEY (created_by, id_range)
) STRICT, WITHOUT ROWID;

-- The links with a tag or a status, 64 in a row. Active links are in no set of a status.
CREATE TABLE link_sets (
    owner    TEXT NOT NULL,
    name     TEXT NOT NULL,    -- a status, or # and a folded tag
    id_range INTEGER NOT NULL, -- id >> 6
    links    INTEGER NOT NULL, -- bit id & 63
    PRIMARY KEY (owner, name, id_range)
) STRICT, WITHOUT ROWID;

CREATE INDEX link_sets_of_link ON link_sets (id_range);

-- The tags of links, as their owner spells them.
CREATE TABLE tags (
    owner TEXT NOT NULL,
    tag   TEXT NOT NULL,    -- folded
    name  TEXT NOT NULL,
    links INTEGER NOT NULL, -- how many have it
    PRIMARY KEY (owner, tag)
) STRICT, WITHOUT ROWID;

-- If a statement writes several rows and a constraint or a function can abort it, SQLite may have
-- to undo it, and copies each page that it changes. For an insert into links and its counts that is
-- a third of the CPU time. INSERT OR FAIL undoes nothing, in triggers neither. So this trigger uses
-- no functions, and no constraint can fail in it.
CREATE TRIGGER link_inserted AFTER INSERT ON links BEGIN
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

CREATE TRIGGER link_deleted AFTER DELETE ON links BEGIN
    UPDATE link_ranges SET links = links - 1
        WHERE created_by = old.created_by AND id_range = old.id >> 10;
    DELETE FROM link_ranges
        WHERE created_by = old.created_by AND id_range = old.id >> 10 AND links = 0;
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

-- The position up to which each click journal is counted. No uncounted click in it is older than
-- the day.
CREATE TABLE journals (
    journal  TEXT PRIMARY KEY NOT NULL,
    position INTEGER NOT NULL,
    day      INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

-- The numbers of owners. All clicks of an owner's links are also counted under the owner's number.
CREATE TABLE owner_numbers (
    number INTEGER PRIMARY KEY, -- from 1 on
    owner  TEXT NOT NULL UNIQUE
) STRICT;

-- The links that were deleted, or got another code or owner. The next transaction that counts
-- assigns numbers, so that they are in the order of commits. A row is deleted when it is applied
-- and a day old, except the newest, so that there is always one.
CREATE TABLE tombstones (
    id      INTEGER PRIMARY KEY,
    link_id INTEGER NOT NULL,
    code    TEXT NOT NULL,
    deleted INTEGER NOT NULL, -- 0: the link has another code or owner
    applied INTEGER NOT NULL, -- whether the rows of the deleted link are gone
    number  INTEGER UNIQUE,   -- NULL: to be given
    random  INTEGER,          -- tells apart histories after a restore
    at      INTEGER           -- when it was given, in microseconds since 1970
) STRICT;
CREATE INDEX tombstones_by_link ON tombstones (link_id);
CREATE INDEX tombstones_to_number ON tombstones (id) WHERE number IS NULL;
CREATE INDEX tombstones_to_apply ON tombstones (number) WHERE applied = 0;
INSERT INTO tombstones VALUES (1, 0, '', 0, 1, 1, random(), unixepoch() * 1000000);

CREATE TRIGGER link_buried AFTER DELETE ON links BEGIN
    INSERT INTO tombstones (link_id, code, deleted, applied) VALUES (old.id, old.code, 1, 0);
END;

CREATE TRIGGER link_has_another_code AFTER UPDATE OF code ON links
    WHEN old.code <> new.code BEGIN
    INSERT OR IGNORE INTO former_codes VALUES (old.id, old.code);
    INSERT INTO tombstones (link_id, code, deleted, applied) VALUES (old.id, old.code, 0, 1);
END;

CREATE TRIGGER link_has_another_owner AFTER UPDATE OF created_by ON links
    WHEN old.created_by <> new.created_by BEGIN
    INSERT INTO tombstones (link_id, code, deleted, applied) VALUES (old.id, old.code, 0, 1);
END;

-- The keys that hash the visitors of a day, until it is over.
CREATE TABLE visitor_keys (
    day INTEGER PRIMARY KEY,
    key BLOB NOT NULL
) STRICT;

-- The last days that had a key.
CREATE TABLE visitor_days (
    day  INTEGER PRIMARY KEY,
    kept INTEGER NOT NULL -- whether its hashes are
) STRICT;

-- The rows of internal/clickstore, which describes their contents. first and last are the times of
-- a row's first and last click in microseconds since 1970, 0 in rows without clicks.

-- If a key fits into 64 bits, it is the rowid: A << 24 | B.
CREATE TABLE totals (
    id    INTEGER PRIMARY KEY,
    first INTEGER NOT NULL,
    last  INTEGER NOT NULL,
    value BLOB NOT NULL
) STRICT;

CREATE TABLE level0 (
    id    INTEGER PRIMARY KEY,
    first INTEGER NOT NULL,
    last  INTEGER NOT NULL,
    value BLOB NOT NULL
) STRICT;

CREATE TABLE level1 (
    id    INTEGER PRIMARY KEY,
    first INTEGER NOT NULL,
    last  INTEGER NOT NULL,
    value BLOB NOT NULL
) STRICT;

-- Hashes of visitors. Deleted rows are overwritten with zeros.
CREATE TABLE visitor_hashes_even (
    id    INTEGER PRIMARY KEY,
    first INTEGER NOT NULL,
    last  INTEGER NOT NULL,
    value BLOB NOT NULL
) STRICT;

CREATE TABLE visitor_hashes_odd (
    id    INTEGER PRIMARY KEY,
    first INTEGER NOT NULL,
    last  INTEGER NOT NULL,
    value BLOB NOT NULL
) STRICT;

-- The other tables have an index by their keys, from which times and sizes are read, too. They are
-- not WITHOUT ROWID, because there SQLite reads a whole row, value included, to compare its key.
CREATE TABLE level2 (
    a     INTEGER NOT NULL,
    b     INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last  INTEGER NOT NULL,
    value BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX level2_keys ON level2 (a, b, first, last, length(value));

CREATE TABLE day_counts (
    a     INTEGER NOT NULL,
    b     INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last  INTEGER NOT NULL,
    value BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX day_counts_keys ON day_counts (a, b, first, last, length(value));

CREATE TABLE month_counts (
    a     INTEGER NOT NULL,
    b     INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last  INTEGER NOT NULL,
    value BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX month_counts_keys ON month_counts (a, b, first, last, length(value));

CREATE TABLE dropped_counts (
    a     INTEGER NOT NULL,
    b     INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last  INTEGER NOT NULL,
    value BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX dropped_counts_keys ON dropped_counts (a, b, first, last, length(value));
