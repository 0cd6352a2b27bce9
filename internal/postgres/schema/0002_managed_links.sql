-- What links may have beyond a URL, as far as it is looked for. All but this is in links.options.

-- An owner's newest link to a URL: by one number for both, since a URL may be too long.
CREATE INDEX links_by_url ON links (
    hashtextextended(url, hashtextextended(created_by, 0)), created_at DESC, id DESC
);

-- Links that can be anything but active.
CREATE TABLE link_states (
    code       text COLLATE "C" NOT NULL,
    link_id    bigint NOT NULL,
    owner      text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL,
    disabled   boolean NOT NULL,
    starts_at  bigint NOT NULL,           -- the smallest number: unbounded
    expires_at bigint NOT NULL,           -- the largest number: unbounded
    max_clicks bigint NOT NULL,           -- 0: any number
    used       bigint NOT NULL DEFAULT 0, -- of max_clicks
    used_up    boolean NOT NULL DEFAULT false,
    PRIMARY KEY (code, link_id)
);

-- All that tells a state, so that lists read the index only. used is not in it: it is written with
-- every visit, which costs less when no index has to be.
CREATE INDEX link_states_by_owner ON link_states (owner, created_at DESC, link_id DESC)
    INCLUDE (disabled, starts_at, expires_at, used_up, code);
ALTER TABLE link_states SET (fillfactor = 70);

CREATE TABLE link_tags (
    code       text COLLATE "C" NOT NULL,
    link_id    bigint NOT NULL,
    tag        text COLLATE "C" NOT NULL, -- folded
    owner      text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL,           -- of the link
    disabled   boolean,                   -- these as in link_states; NULL for links without states
    starts_at  bigint,
    expires_at bigint,
    used_up    boolean,
    PRIMARY KEY (code, link_id, tag)
);

CREATE INDEX link_tags_by_tag ON link_tags (owner, tag, created_at DESC, link_id DESC)
    INCLUDE (code, disabled, starts_at, expires_at, used_up);
CREATE INDEX link_tags_with_state ON link_tags (owner, tag, created_at DESC, link_id DESC)
    INCLUDE (code, disabled, starts_at, expires_at, used_up) WHERE expires_at IS NOT NULL;

-- How an owner spells a tag, and how many links have it.
CREATE TABLE tags (
    owner text COLLATE "C" NOT NULL,
    tag   text COLLATE "C" NOT NULL, -- folded
    name  text NOT NULL,
    links bigint NOT NULL,
    PRIMARY KEY (owner, tag)
);
ALTER TABLE tags SET (fillfactor = 70);

-- The last changes of a link.
CREATE TABLE link_changes (
    code       text COLLATE "C" NOT NULL,
    link_id    bigint NOT NULL,
    at         bigint NOT NULL,
    changed_by text NOT NULL,
    request_id text NOT NULL,
    fields     text NOT NULL, -- JSON
    PRIMARY KEY (code, link_id, at)
);

-- Answers to requests with idempotency keys.
CREATE TABLE answers (
    key     bytea PRIMARY KEY,
    at      bigint NOT NULL,
    request bytea NOT NULL,
    status  integer NOT NULL,
    etag    text NOT NULL,
    body    bytea NOT NULL
);

CREATE INDEX answers_by_age ON answers (at);
