-- Users, their named tokens, and sessions in browsers. The texts of tokens and sessions are stored
-- as SHA-256. Nothing of a user outlives it, even if an operator deletes it by hand: a later user
-- with the same identity must not inherit it.
CREATE TABLE users (
    identity     text COLLATE "C" PRIMARY KEY,
    role         text NOT NULL,
    disabled     boolean NOT NULL DEFAULT false,
    issuer       text COLLATE "C" NOT NULL DEFAULT '', -- of a person
    subject      text COLLATE "C" NOT NULL DEFAULT '', -- of a person; empty: a service
    email        text NOT NULL DEFAULT '',
    name         text NOT NULL DEFAULT '',
    created_at   bigint NOT NULL,
    last_seen_at bigint NOT NULL DEFAULT 0, -- 0: never
    groups       text NOT NULL DEFAULT ''   -- JSON; empty: none
);

CREATE UNIQUE INDEX users_by_subject ON users (issuer, subject) WHERE subject <> '';

CREATE TABLE tokens (
    id           text COLLATE "C" PRIMARY KEY,
    hash         bytea NOT NULL UNIQUE,
    identity     text COLLATE "C" NOT NULL REFERENCES users ON DELETE CASCADE,
    name         text COLLATE "C" NOT NULL,
    role         text NOT NULL,
    hint         text NOT NULL,
    created_at   bigint NOT NULL,
    created_by   text NOT NULL,
    expires_at   bigint NOT NULL,           -- 0: never
    last_used_at bigint NOT NULL DEFAULT 0, -- 0: never
    UNIQUE (identity, name)
);

CREATE TABLE sessions (
    hash       bytea PRIMARY KEY,
    identity   text COLLATE "C" NOT NULL REFERENCES users ON DELETE CASCADE,
    token      text COLLATE "C" REFERENCES tokens ON DELETE CASCADE, -- that it was opened with
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL
);

CREATE INDEX sessions_of_user ON sessions (identity, created_at);
CREATE INDEX sessions_of_token ON sessions (token) WHERE token IS NOT NULL;
CREATE INDEX sessions_by_end ON sessions (expires_at);

-- The owner of all links so far, and whoever else has got some.
INSERT INTO users (identity, role, created_at)
    SELECT identity, 'admin', (extract(epoch FROM now()) * 1e6)::bigint
    FROM (
        SELECT 'authenticated-user' COLLATE "C" AS identity
        UNION SELECT owner FROM link_ranges GROUP BY owner HAVING sum(links) > 0
    ) AS owners;
