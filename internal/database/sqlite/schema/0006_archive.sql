-- Archived links are in the set 'archived' of link_sets. The column repeats it, so that the newest
-- link to a URL that is not archived is found by the index alone, however many are.
ALTER TABLE links ADD COLUMN archived INTEGER NOT NULL DEFAULT 0;

DROP INDEX links_to_url;
CREATE INDEX links_to_url ON links (url, created_at DESC, id DESC, archived) WHERE ended = 0;
