-- The clicks of a bucket's links, in a table of their own: a list by clicks reads them all, and the
-- rest of a bucket has a page to itself.
CREATE TABLE click_totals (
    id     INTEGER PRIMARY KEY, -- as in click_buckets, where each has a row, too
    -- JSON array: all clicks of each link, at offset link_id & 255; zeros at the end are left out
    clicks TEXT NOT NULL
) STRICT;

INSERT INTO click_totals SELECT id, clicks FROM click_buckets;

DROP VIEW link_clicks;
DROP TRIGGER link_deleted;
ALTER TABLE click_buckets DROP COLUMN clicks;

-- For an operator: how many clicks each link has.
CREATE VIEW link_clicks AS
    SELECT id AS link_id,
        coalesce((SELECT clicks ->> (links.id & 255) FROM click_totals
            WHERE click_totals.id = links.id >> 8), 0) AS clicks
    FROM links;

CREATE TRIGGER link_deleted AFTER DELETE ON links BEGIN
    UPDATE owners SET links = links - 1 WHERE created_by = old.created_by;
    DELETE FROM click_days WHERE link_day BETWEEN old.id * 65536 AND old.id * 65536 + 65535;
    DELETE FROM click_blocks WHERE link_id = old.id;
    INSERT OR IGNORE INTO buckets_to_clean
        SELECT id FROM click_totals WHERE id = old.id >> 8 AND clicks ->> (old.id & 255) > 0;
    UPDATE click_totals SET clicks = json_replace(clicks, '$[' || (old.id & 255) || ']', 0)
        WHERE id = old.id >> 8 AND clicks ->> (old.id & 255) > 0;
END;
