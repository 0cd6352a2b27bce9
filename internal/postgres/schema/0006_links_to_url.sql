-- An owner's newest link to a URL is looked for among those that have not ended, in the index
-- alone: those that were disabled or have expired are not in the way. Which are used up, their
-- states tell: visits write these, and not links.
ALTER TABLE links ADD COLUMN open_until bigint NOT NULL DEFAULT 9223372036854775807;

UPDATE links AS l
    SET open_until = CASE WHEN s.disabled THEN -9223372036854775808 ELSE s.expires_at END
    FROM link_states AS s
    WHERE s.code = l.code AND s.link_id = l.id
        AND (s.disabled OR s.expires_at < 9223372036854775807);

DROP INDEX links_by_url;
CREATE INDEX links_to_url ON links (
    hashtextextended(url, hashtextextended(created_by, 0)), created_at DESC, id DESC, open_until
);
