-- The audit: who did what to which link, token or user. Entries are only added, and deleted when
-- they are old. Texts that are not set are empty.
CREATE TABLE audit (
    id         INTEGER PRIMARY KEY AUTOINCREMENT, -- never used again
    at         INTEGER NOT NULL, -- microseconds since 1970
    actor      TEXT NOT NULL,    -- an identity
    via        TEXT NOT NULL,
    token      TEXT NOT NULL,    -- its ID
    action     TEXT NOT NULL,
    target     TEXT NOT NULL,
    details    TEXT NOT NULL,    -- JSON
    address    TEXT NOT NULL,
    request_id TEXT NOT NULL
) STRICT;

CREATE INDEX audit_by_actor ON audit (actor);
CREATE INDEX audit_by_target ON audit (target);
CREATE INDEX audit_by_age ON audit (at);
