-- The audit: who did what to which link, token or user. Entries are only added, and deleted when
-- they are old. Texts that are not set are empty. On Citus it stays on the coordinator: it is
-- looked up by actors and targets of all kinds.
CREATE TABLE audit (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at         bigint NOT NULL, -- microseconds since 1970
    actor      text COLLATE "C" NOT NULL, -- an identity
    via        text COLLATE "C" NOT NULL,
    token      text COLLATE "C" NOT NULL, -- its ID
    action     text COLLATE "C" NOT NULL,
    target     text COLLATE "C" NOT NULL,
    details    text NOT NULL, -- JSON
    address    text COLLATE "C" NOT NULL,
    request_id text NOT NULL
);

CREATE INDEX audit_by_actor ON audit (actor, id);
CREATE INDEX audit_by_target ON audit (target, id);
CREATE INDEX audit_by_age ON audit (at);
