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
CREATE TABLE former_codes (
    link_id INTEGER NOT NULL,
    code    TEXT NOT NULL,
    PRIMARY KEY (link_id, code)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE link_changes (
    link_id    INTEGER NOT NULL,
    time       INTEGER NOT NULL, -- the updated_at that the link got
    by         TEXT NOT NULL,
    request_id TEXT NOT NULL,
    fields     TEXT NOT NULL,    -- JSON
    PRIMARY KEY (link_id, time)
) STRICT, WITHOUT ROWID;
CREATE TABLE shares (
    link_id INTEGER PRIMARY KEY,
    share   BLOB NOT NULL,
    hash    BLOB NOT NULL UNIQUE
) STRICT;
CREATE TABLE answers (
    key     BLOB PRIMARY KEY NOT NULL,
    kept_at INTEGER NOT NULL,
    request BLOB NOT NULL,
    status  INTEGER NOT NULL,
    etag    TEXT NOT NULL,
    body    BLOB NOT NULL
) STRICT;
CREATE TABLE unknown_codes (
    day   INTEGER NOT NULL,
    node  TEXT NOT NULL, -- that counted them: the ID of its journal
    codes BLOB NOT NULL,
    PRIMARY KEY (day, node)
) STRICT;
CREATE TABLE link_ranges (
    created_by TEXT NOT NULL,
    id_range   INTEGER NOT NULL, -- id >> 10
    links      INTEGER NOT NULL,
    first      INTEGER NOT NULL, -- no created_at is less
    last       INTEGER NOT NULL, -- no created_at is more
    PRIMARY KEY (created_by, id_range)
) STRICT, WITHOUT ROWID;
CREATE TABLE link_sets (
    owner    TEXT NOT NULL,
    name     TEXT NOT NULL,    -- a status, or # and a folded tag
    id_range INTEGER NOT NULL, -- id >> 6
    links    INTEGER NOT NULL, -- bit id & 63
    PRIMARY KEY (owner, name, id_range)
) STRICT, WITHOUT ROWID;
CREATE TABLE tags (
    owner TEXT NOT NULL,
    tag   TEXT NOT NULL,    -- folded
    name  TEXT NOT NULL,
    links INTEGER NOT NULL, -- how many have it
    PRIMARY KEY (owner, tag)
) STRICT, WITHOUT ROWID;
CREATE TABLE journals (
    journal  TEXT PRIMARY KEY NOT NULL,
    position INTEGER NOT NULL,
    day      INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE TABLE owner_numbers (
    number INTEGER PRIMARY KEY, -- from 1 on
    owner  TEXT NOT NULL UNIQUE
) STRICT;
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
CREATE TABLE visitor_keys (
    day INTEGER PRIMARY KEY,
    key BLOB NOT NULL
) STRICT;
CREATE TABLE visitor_days (
    day  INTEGER PRIMARY KEY,
    kept INTEGER NOT NULL -- whether its hashes are
) STRICT;
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
CREATE TABLE level2 (
    a     INTEGER NOT NULL,
    b     INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last  INTEGER NOT NULL,
    value BLOB NOT NULL
) STRICT;
CREATE TABLE day_counts (
    a     INTEGER NOT NULL,
    b     INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last  INTEGER NOT NULL,
    value BLOB NOT NULL
) STRICT;
CREATE TABLE month_counts (
    a     INTEGER NOT NULL,
    b     INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last  INTEGER NOT NULL,
    value BLOB NOT NULL
) STRICT;
CREATE TABLE dropped_counts (
    a     INTEGER NOT NULL,
    b     INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last  INTEGER NOT NULL,
    value BLOB NOT NULL
) STRICT;
INSERT INTO links VALUES (1, 'plain', 'https://example.org/', 1795712182220283, 'authenticated-user', 0, '', 0);
INSERT INTO links VALUES (2, 'managed', 'https://example.org/', 1795712182229858, 'authenticated-user', 1795712182233154, '{"tags":["News"],"max_clicks":2}', 0);
INSERT INTO link_states VALUES (2, 'authenticated-user', 0, -9223372036854775808, 9223372036854775807, 2, 1, 'active', -9223372036854775808, 9223372036854775807);
INSERT INTO link_changes VALUES (2, 1795712182233154, 'authenticated-user', '', '{"max_clicks":{"old":null,"new":2},"original_url":{"old":"https://example.org/first","new":"https://example.org/"},"tags":{"old":null,"new":["News"]}}');
INSERT INTO shares VALUES (2, X'01020300000000000000000000000000', X'96E3C19E7D9D46D940080397D66A638E9985151BFC7E5BD30FF75F9FEE8CB4E3');
INSERT INTO link_ranges VALUES ('authenticated-user', 0, 2, 1795712182220283, 1795712182229858);
INSERT INTO link_sets VALUES ('authenticated-user', '#news', 0, 4);
INSERT INTO tags VALUES ('authenticated-user', 'news', 'News', 1);
INSERT INTO journals VALUES ('j', 3, 0);
INSERT INTO owner_numbers VALUES (1, 'authenticated-user');
INSERT INTO tombstones VALUES (1, 0, '', 0, 1, 1, -7495773397202957436, 1795712182000000);
INSERT INTO visitor_keys VALUES (20783, X'BAB77B06586B130B96AD37FBAA6AF918');
INSERT INTO visitor_days VALUES (20783, 1);
INSERT INTO totals VALUES (-268435456, 0, 0, X'018480D5FED3C8B0060006000000');
INSERT INTO totals VALUES (0, 0, 0, X'0180809DE4BEFFAE06010300000000030082809CCDCA6400');
INSERT INTO level0 VALUES (0, 1792195200000000, 1795651200000000, X'0102047F0201020106020010444502060B02003846697265666F78027D010280809DE4BEFFAE0680809CCDCA64');
INSERT INTO level0 VALUES (1, 1792195200000000, 1795651200000001, X'0102037F0201020106020010444502060B02003846697265666F780280809DE4BEFFAE0681809CCDCA64');
INSERT INTO level0 VALUES (2, 1792195200000000, 1795651200000002, X'0102037F0201020106020010444502060B02003846697265666F780280809DE4BEFFAE0682809CCDCA64');
INSERT INTO level1 VALUES (-268435456, 1792195200000000, 1795651200000000, X'0102047E060201000200020106020010444502060B02003846697265666F78027D010280809DE4BEFFAE0680809CCDCA64');
INSERT INTO level1 VALUES (-268435455, 1792195200000000, 1795651200000001, X'0102037E060201000200020106020010444502060B02003846697265666F780280809DE4BEFFAE0681809CCDCA64');
INSERT INTO level1 VALUES (-268435454, 1792195200000000, 1795651200000002, X'0102037E060201000200020106020010444502060B02003846697265666F780280809DE4BEFFAE0682809CCDCA64');
INSERT INTO visitor_hashes_odd VALUES (0, 0, 0, X'010000000000000102');
INSERT INTO sqlite_sequence VALUES ('links', 2);
CREATE INDEX links_by_owner ON links (created_by, created_at DESC, id DESC);
CREATE INDEX links_to_url ON links (url, created_at DESC, id DESC) WHERE ended = 0;
CREATE INDEX link_states_until ON link_states (until) WHERE until < 9223372036854775807;
CREATE INDEX link_states_since ON link_states (since) WHERE since > -9223372036854775808;
CREATE INDEX answers_by_age ON answers (kept_at);
CREATE INDEX link_sets_of_link ON link_sets (id_range);
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
CREATE INDEX tombstones_by_link ON tombstones (link_id);
CREATE INDEX tombstones_to_number ON tombstones (id) WHERE number IS NULL;
CREATE INDEX tombstones_to_apply ON tombstones (number) WHERE applied = 0;
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
CREATE UNIQUE INDEX level2_keys ON level2 (a, b, first, last, length(value));
CREATE UNIQUE INDEX day_counts_keys ON day_counts (a, b, first, last, length(value));
CREATE UNIQUE INDEX month_counts_keys ON month_counts (a, b, first, last, length(value));
CREATE UNIQUE INDEX dropped_counts_keys ON dropped_counts (a, b, first, last, length(value));
PRAGMA application_id = 1413829203;
PRAGMA user_version = 1;
