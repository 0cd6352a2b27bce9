-- Archived links are in the set 'archived' of link_sets, as the column says. The newest link to a
-- URL that is not archived is found by the index alone, however many are.
ALTER TABLE links ADD COLUMN archived boolean NOT NULL DEFAULT false;

DROP INDEX links_to_url;
CREATE INDEX links_to_url ON links (
    hashtextextended(url, hashtextextended(created_by, 0)), created_at DESC, id DESC, open_until,
    archived
);
