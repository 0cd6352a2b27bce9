-- Webhooks, and what is on its way to them (package hookstore). Triggers let nothing of a user
-- outlive it, even if an operator deletes it by hand: a later user with the same identity must not
-- inherit it.
CREATE TABLE webhooks (
    id            TEXT PRIMARY KEY NOT NULL,
    owner         TEXT NOT NULL,              -- whose links it reports; '*': all
    created_by    TEXT NOT NULL,
    url           TEXT NOT NULL,
    description   TEXT NOT NULL,
    events        TEXT NOT NULL,              -- with spaces between them
    tags          TEXT NOT NULL,              -- JSON; empty: none
    created_at    INTEGER NOT NULL,
    version       INTEGER NOT NULL,
    secret        BLOB NOT NULL,
    former_secret BLOB NOT NULL,              -- empty: none
    former_until  INTEGER NOT NULL DEFAULT 0,
    disabled      TEXT NOT NULL DEFAULT '',   -- why; empty: it is active
    disabled_at   INTEGER NOT NULL DEFAULT 0,
    failing_since INTEGER NOT NULL DEFAULT 0, -- 0: it is not
    since         INTEGER NOT NULL,           -- it reports what happens from then on
    place         INTEGER NOT NULL DEFAULT 0, -- the last row of counted_clicks that it is done with
    batched_at    INTEGER NOT NULL DEFAULT 0  -- when its last batch of clicks was made
) STRICT;

CREATE INDEX webhooks_of_user ON webhooks (created_by);
CREATE INDEX webhooks_by_owner ON webhooks (owner);

-- Events of links that are not deliveries yet. Links are JSON; empty: none.
CREATE TABLE outbox (
    id      INTEGER PRIMARY KEY,
    at      INTEGER NOT NULL,
    type    TEXT NOT NULL,
    link_id INTEGER NOT NULL,
    before  TEXT NOT NULL,
    after   TEXT NOT NULL
) STRICT;

-- seq is the order in which those of a link are sent.
CREATE TABLE deliveries (
    seq         INTEGER PRIMARY KEY,
    id          TEXT NOT NULL UNIQUE,
    webhook     TEXT NOT NULL,
    link_id     INTEGER NOT NULL,           -- 0: of no link
    type        TEXT NOT NULL,
    created_at  INTEGER NOT NULL,
    status      TEXT NOT NULL,
    next_at     INTEGER NOT NULL,           -- when it is due, while it waits
    behind      INTEGER NOT NULL DEFAULT 0, -- 1: it waits for another one of its link
    taken_until INTEGER NOT NULL DEFAULT 0, -- a node sends it until then; 0: none does
    finished_at INTEGER NOT NULL DEFAULT 0, -- 0: it is not
    attempts    TEXT NOT NULL,              -- JSON; empty: none
    bytes       INTEGER NOT NULL,           -- of the payload
    payload     BLOB NOT NULL
) STRICT;

CREATE INDEX deliveries_in_order ON deliveries (webhook, link_id, seq, created_at)
    WHERE status = 'waiting';
CREATE INDEX deliveries_due ON deliveries (webhook, next_at, seq, taken_until)
    WHERE status = 'waiting' AND behind = 0;
CREATE INDEX deliveries_taken ON deliveries (webhook, taken_until) WHERE taken_until > 0;
CREATE INDEX deliveries_listed ON deliveries (webhook, created_at, seq);
CREATE INDEX deliveries_finished ON deliveries (finished_at, webhook, bytes)
    WHERE finished_at > 0;

-- Clicks that were counted and that webhooks still wait for, by owner. IDs are never used again:
-- places of webhooks refer to them.
CREATE TABLE counted_clicks (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    owner     INTEGER NOT NULL, -- its number
    untracked INTEGER NOT NULL, -- 1: of them only link and day are known
    clicks    INTEGER NOT NULL,
    value     BLOB NOT NULL     -- a block of an owner's clicks
) STRICT;

CREATE TRIGGER user_webhooks_deleted AFTER DELETE ON users BEGIN
    DELETE FROM webhooks WHERE created_by = old.identity OR owner = old.identity;
END;

CREATE TRIGGER webhook_deleted AFTER DELETE ON webhooks BEGIN
    DELETE FROM deliveries WHERE webhook = old.id;
END;
