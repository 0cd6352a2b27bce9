-- Links to a URL that have not ended, newest first: those that ended are not in the way of a look
-- for the newest, however many they are. Each create writes a page of this index.
ALTER TABLE links ADD COLUMN ended INTEGER NOT NULL DEFAULT 0; -- as link_states has the status

UPDATE links SET ended = 1 WHERE id IN
    (SELECT link_id FROM link_states WHERE status IN ('expired', 'used_up', 'disabled'));

DROP INDEX links_by_url;
CREATE INDEX links_to_url ON links (url, created_at DESC, id DESC) WHERE ended = 0;
