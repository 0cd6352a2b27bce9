-- Clicks that a batch has few of for each of many groups of links (see click_groups) wait here, because to write a row of a
-- group costs as much for one click as for a hundred. 64 groups whose IDs are neighbours are a span. When a span has many clicks
-- here, they are moved to its groups.
CREATE TABLE click_buffers (
    id     INTEGER PRIMARY KEY, -- span * 65536 + number; a span is link_id >> 14
    bytes  INTEGER NOT NULL,    -- of this row and those of the span before it
    most   INTEGER NOT NULL,    -- no link has more clicks in this row and those of the span before it
    links  TEXT NOT NULL,       -- of each click one character: char(2048 + (link_id & 16383))
    clicks BLOB NOT NULL        -- the same clicks as one block
) STRICT;

DROP VIEW link_clicks;

CREATE VIEW link_clicks AS
    SELECT id AS link_id,
        coalesce((SELECT clicks ->> (links.id & 255) FROM click_groups WHERE click_groups.id = links.id >> 8), 0)
        + (SELECT coalesce(sum(length(b.links) - length(replace(b.links, char(2048 + (links.id & 16383)), ''))), 0)
            FROM click_buffers AS b WHERE b.id BETWEEN (links.id >> 14) << 16 AND (links.id >> 14) << 16 | 65535) AS clicks
    FROM links;

DROP TRIGGER link_deleted;

-- A group whose clicks may wait is cleaned, too.
CREATE TRIGGER link_deleted AFTER DELETE ON links BEGIN
    UPDATE owners SET links = links - 1 WHERE created_by = old.created_by;
    DELETE FROM click_days WHERE link_day BETWEEN old.id * 65536 AND old.id * 65536 + 65535;
    DELETE FROM click_blocks WHERE link_id = old.id;
    INSERT OR IGNORE INTO groups_to_clean
        SELECT id FROM click_groups WHERE id = old.id >> 8 AND clicks ->> (old.id & 255) > 0;
    INSERT OR IGNORE INTO groups_to_clean
        SELECT old.id >> 8 FROM click_buffers WHERE id BETWEEN (old.id >> 14) << 16 AND (old.id >> 14) << 16 | 65535 LIMIT 1;
    UPDATE click_groups SET clicks = json_replace(clicks, '$[' || (old.id & 255) || ']', 0)
        WHERE id = old.id >> 8 AND clicks ->> (old.id & 255) > 0;
END;
