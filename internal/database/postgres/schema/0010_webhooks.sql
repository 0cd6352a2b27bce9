-- Webhooks, and what is on its way to them (package hookstore). Nothing of a user outlives it, even
-- if an operator deletes it by hand: a later user with the same identity must not inherit it. On
-- Citus all of it stays on the coordinator: it is looked up by webhooks and times, not by links.
CREATE TABLE webhooks (
    id            text COLLATE "C" PRIMARY KEY,
    owner         text COLLATE "C" NOT NULL,  -- whose links it reports; '*': all
    created_by    text COLLATE "C" NOT NULL REFERENCES users ON DELETE CASCADE,
    url           text NOT NULL,
    description   text NOT NULL,
    events        text NOT NULL,              -- with spaces between them
    tags          text NOT NULL,              -- JSON; empty: none
    created_at    bigint NOT NULL,
    version       bigint NOT NULL,
    secret        bytea NOT NULL,
    former_secret bytea NOT NULL,             -- empty: none
    former_until  bigint NOT NULL DEFAULT 0,
    disabled      text NOT NULL DEFAULT '',   -- why; empty: it is active
    disabled_at   bigint NOT NULL DEFAULT 0,
    failing_since bigint NOT NULL DEFAULT 0,  -- 0: it is not
    since         bigint NOT NULL,            -- it reports what happens from then on
    place         bigint NOT NULL DEFAULT 0,  -- the last row of counted_clicks that it is done with
    batched_at    bigint NOT NULL DEFAULT 0,  -- when its last batch of clicks was made
    single_owner  text COLLATE "C"
        GENERATED ALWAYS AS (CASE WHEN owner <> '*' THEN owner END) STORED
        REFERENCES users ON DELETE CASCADE
);

CREATE INDEX webhooks_of_user ON webhooks (created_by);
CREATE INDEX webhooks_by_owner ON webhooks (owner);
CREATE INDEX webhooks_of_owner ON webhooks (single_owner);

-- Events of links that are not deliveries yet. Links are JSON; empty: none.
CREATE TABLE outbox (
    id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at      bigint NOT NULL,
    type    text NOT NULL,
    link_id bigint NOT NULL,
    before  text NOT NULL,
    after   text NOT NULL
);

-- seq is the order in which those of a link are sent.
CREATE TABLE deliveries (
    seq         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id          text COLLATE "C" NOT NULL UNIQUE,
    webhook     text COLLATE "C" NOT NULL REFERENCES webhooks ON DELETE CASCADE,
    link_id     bigint NOT NULL,           -- 0: of no link
    type        text NOT NULL,
    created_at  bigint NOT NULL,
    status      text COLLATE "C" NOT NULL,
    next_at     bigint NOT NULL,           -- when it is due, while it waits
    behind      bigint NOT NULL DEFAULT 0, -- 1: it waits for another one of its link
    taken_until bigint NOT NULL DEFAULT 0, -- a node sends it until then; 0: none does
    finished_at bigint NOT NULL DEFAULT 0, -- 0: it is not
    attempts    text NOT NULL,             -- JSON; empty: none
    bytes       bigint NOT NULL,           -- of the payload
    payload     bytea NOT NULL
);

CREATE INDEX deliveries_in_order ON deliveries (webhook, link_id, seq, created_at)
    WHERE status = 'waiting';
CREATE INDEX deliveries_due ON deliveries (webhook, next_at, seq, taken_until)
    WHERE status = 'waiting' AND behind = 0;
CREATE INDEX deliveries_taken ON deliveries (webhook, taken_until) WHERE taken_until > 0;
CREATE INDEX deliveries_listed ON deliveries (webhook, created_at, seq);
CREATE INDEX deliveries_finished ON deliveries (finished_at, webhook, bytes)
    WHERE finished_at > 0;

-- Clicks that were counted and that webhooks still wait for, by owner. One transaction counts at a
-- time, so IDs grow in the order of commits.
CREATE TABLE counted_clicks (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    owner     bigint NOT NULL, -- its number
    untracked bigint NOT NULL, -- 1: of them only link and day are known
    clicks    bigint NOT NULL,
    value     bytea NOT NULL   -- a block of an owner's clicks
);
