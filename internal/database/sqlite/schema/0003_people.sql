-- Users, their named tokens, and sessions in browsers. The texts of tokens and sessions are stored
-- as SHA-256. Triggers let nothing of a user outlive it, even if an operator deletes it by hand: a
-- later user with the same identity must not inherit it.
CREATE TABLE users (
    identity     TEXT PRIMARY KEY NOT NULL,
    role         TEXT NOT NULL,
    disabled     INTEGER NOT NULL DEFAULT 0,
    issuer       TEXT NOT NULL DEFAULT '', -- of a person
    subject      TEXT NOT NULL DEFAULT '', -- of a person; empty: a service
    email        TEXT NOT NULL DEFAULT '',
    name         TEXT NOT NULL DEFAULT '',
    created_at   INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL DEFAULT 0, -- 0: never
    groups       TEXT NOT NULL DEFAULT ''    -- JSON; empty: none
) STRICT;

CREATE UNIQUE INDEX users_by_subject ON users (issuer, subject) WHERE subject <> '';

CREATE TABLE tokens (
    id           TEXT PRIMARY KEY NOT NULL,
    hash         BLOB NOT NULL UNIQUE,
    identity     TEXT NOT NULL,
    name         TEXT NOT NULL,
    role         TEXT NOT NULL,
    hint         TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    created_by   TEXT NOT NULL,
    expires_at   INTEGER NOT NULL,           -- 0: never
    last_used_at INTEGER NOT NULL DEFAULT 0, -- 0: never
    UNIQUE (identity, name)
) STRICT;

CREATE TABLE sessions (
    hash       BLOB PRIMARY KEY NOT NULL,
    identity   TEXT NOT NULL,
    token      TEXT NOT NULL, -- that it was opened with; empty: none
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX sessions_of_user ON sessions (identity, created_at);
CREATE INDEX sessions_of_token ON sessions (token) WHERE token <> '';
CREATE INDEX sessions_by_end ON sessions (expires_at);

CREATE TRIGGER user_deleted AFTER DELETE ON users BEGIN
    DELETE FROM tokens WHERE identity = old.identity;
    DELETE FROM sessions WHERE identity = old.identity;
END;

CREATE TRIGGER token_deleted AFTER DELETE ON tokens BEGIN
    DELETE FROM sessions WHERE token = old.id AND token <> '';
END;

-- The owner of all links so far, and whoever else has got some.
INSERT INTO users (identity, role, created_at)
    SELECT 'authenticated-user', 'admin', unixepoch() * 1000000
    UNION SELECT created_by, 'admin', unixepoch() * 1000000 FROM link_ranges WHERE links > 0;
