-- Shares show a link, the links of an owner with a tag, or all links of an owner. Those that show
-- no single link end with their owner, even if an operator deletes it by hand: a later user with
-- the same identity must not inherit them.

ALTER TABLE shares
    DROP CONSTRAINT shares_pkey,
    DROP CONSTRAINT shares_hash_key,
    ADD PRIMARY KEY (hash),
    ADD COLUMN owner      text COLLATE "C" NOT NULL DEFAULT '', -- of a link: its owner
    ADD COLUMN tag        text COLLATE "C" NOT NULL DEFAULT '', -- folded; empty: no tag
    ADD COLUMN name       text NOT NULL DEFAULT '', -- of the tag, as its owner spelled it
    ADD COLUMN title      text NOT NULL DEFAULT '', -- empty: that of what it shows
    ADD COLUMN created_at bigint NOT NULL DEFAULT 0, -- 0: not known
    ADD COLUMN created_by text NOT NULL DEFAULT '', -- empty: not known
    ADD COLUMN expires_at bigint NOT NULL DEFAULT 0, -- 0: never
    ADD COLUMN password   text NOT NULL DEFAULT ''; -- its hash; empty: none

-- Without a single link, code is empty and link_id 0.
UPDATE shares SET owner = l.created_by FROM links AS l
    WHERE l.code = shares.code AND l.id = shares.link_id;

ALTER TABLE shares
    ALTER COLUMN owner DROP DEFAULT,
    ADD COLUMN holder text COLLATE "C"
        GENERATED ALWAYS AS (CASE WHEN link_id = 0 THEN owner END) STORED
        REFERENCES users ON DELETE CASCADE;

-- What has a share has one.
CREATE UNIQUE INDEX shares_by_target ON shares (link_id, owner, tag);

CREATE INDEX shares_by_owner ON shares (owner, created_at, hash);
CREATE INDEX shares_by_holder ON shares (holder) WHERE holder IS NOT NULL;
