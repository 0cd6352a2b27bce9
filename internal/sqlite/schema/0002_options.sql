-- What the options of links mean to lists and redirects. The server writes it with the options, so
-- that options that were written by hand count from the link's next change on. Where a link is
-- deleted or moved by hand, triggers follow.

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

-- Which links have a tag or a status, 64 in a row: lists combine and count them so many at once.
-- Active links are in no set of a status.
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

-- The last changes of each link.
CREATE TABLE link_changes (
    link_id    INTEGER NOT NULL,
    time       INTEGER NOT NULL, -- the updated_at that the link got
    by         TEXT NOT NULL,
    request_id TEXT NOT NULL,
    fields     TEXT NOT NULL,    -- JSON
    PRIMARY KEY (link_id, time)
) STRICT, WITHOUT ROWID;

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

-- Links to a URL. Each create writes a page of this index, which is why it has nothing else.
CREATE INDEX links_by_url ON links (url);

CREATE TRIGGER link_options_deleted AFTER DELETE ON links BEGIN
    DELETE FROM link_states WHERE link_id = old.id;
    DELETE FROM link_changes WHERE link_id = old.id;
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

CREATE TRIGGER link_options_moved AFTER UPDATE OF id, created_by ON links
    WHEN old.id <> new.id OR old.created_by <> new.created_by BEGIN
    UPDATE link_states SET link_id = new.id, owner = new.created_by WHERE link_id = old.id;
    UPDATE link_changes SET link_id = new.id WHERE link_id = old.id;
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
        SELECT new.created_by, name, new.id >> 6, 1 << (new.id & 63) FROM link_sets
        WHERE id_range = old.id >> 6 AND owner = old.created_by
            AND links & (1 << (old.id & 63)) <> 0
        ON CONFLICT DO UPDATE SET links = links | excluded.links;
    UPDATE link_sets SET links = links & ~(1 << (old.id & 63))
        WHERE id_range = old.id >> 6 AND owner = old.created_by;
    DELETE FROM link_sets WHERE id_range = old.id >> 6 AND links = 0;
END;
