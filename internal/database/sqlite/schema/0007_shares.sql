-- Shares show a link, the links of an owner with a tag, or all links of an owner. A share is looked
-- up by its SHA-256, so that the time of the look-up reveals nothing about it. Triggers keep the
-- owner of a link's share true, and delete shares with what they show.

CREATE TEMP TABLE shares_before AS
    SELECT hash, share, created_by AS owner, link_id FROM shares JOIN links ON id = link_id;

DROP TABLE shares;

CREATE TABLE shares (
    hash       BLOB PRIMARY KEY NOT NULL,
    share      BLOB NOT NULL,
    owner      TEXT NOT NULL,
    link_id    INTEGER NOT NULL DEFAULT 0,    -- 0: it shows no single link
    tag        TEXT NOT NULL DEFAULT '',      -- folded; empty: no tag
    name       TEXT NOT NULL DEFAULT '',      -- of the tag, as its owner spelled it
    title      TEXT NOT NULL DEFAULT '',      -- empty: that of what it shows
    created_at INTEGER NOT NULL DEFAULT 0,    -- 0: not known
    created_by TEXT NOT NULL DEFAULT '',      -- empty: not known
    expires_at INTEGER NOT NULL DEFAULT 0,    -- 0: never
    password   TEXT NOT NULL DEFAULT ''       -- its hash; empty: none
) STRICT;

INSERT INTO shares (hash, share, owner, link_id)
    SELECT hash, share, owner, link_id FROM shares_before;

DROP TABLE shares_before;

-- What has a share has one. link_deleted looks for that of a link.
CREATE UNIQUE INDEX shares_by_target ON shares (link_id, owner, tag);

CREATE INDEX shares_by_owner ON shares (owner, created_at);

CREATE TRIGGER link_share_given AFTER UPDATE OF created_by ON links
    WHEN old.created_by <> new.created_by BEGIN
    UPDATE shares SET owner = new.created_by WHERE link_id = old.id;
END;

CREATE TRIGGER user_shares_deleted AFTER DELETE ON users BEGIN
    DELETE FROM shares WHERE link_id = 0 AND owner = old.identity;
END;
