-- Clicks are collected by groups of links whose IDs are neighbours before they are sealed into click_days and
-- click_blocks link by link: a row for many links is written as quickly as a row for one.

-- One row per group with a clicked link, and its newest clicks.
CREATE TABLE click_groups (
    id     INTEGER PRIMARY KEY, -- of a group: link_id >> 8
    clicks TEXT NOT NULL,       -- JSON array: all clicks of each link, its place is link_id & 255; zeros at the end are left out
    loose  TEXT NOT NULL,       -- the same for the clicks that are not sealed
    bytes  INTEGER NOT NULL,    -- in the group's rows of group_blocks
    recent BLOB NOT NULL        -- the newest clicks as one block
) STRICT;

-- Older clicks that are not sealed.
CREATE TABLE group_blocks (
    id     INTEGER PRIMARY KEY, -- group * 65536 + number
    first  INTEGER NOT NULL,
    last   INTEGER NOT NULL,
    clicks BLOB NOT NULL
) STRICT;

-- Groups that hold clicks of links that were deleted, until the next clicks are counted.
CREATE TABLE groups_to_clean (id INTEGER PRIMARY KEY) STRICT;

-- The newest clicks of each link become a block of quiet clicks.
INSERT INTO click_blocks (link_id, day, seq, first, last, clicks)
    SELECT link_id, -1,
        (SELECT coalesce(max(seq) + 1, 0) FROM click_blocks AS b WHERE b.link_id = c.link_id AND b.day = -1),
        -9223372036854775808, 9223372036854775807, recent
    FROM link_clicks AS c WHERE recent <> x'';

WITH RECURSIVE places(place) AS (SELECT 0 UNION ALL SELECT place + 1 FROM places WHERE place < 255)
INSERT INTO click_groups (id, clicks, loose, bytes, recent)
    SELECT g.id, json_group_array(coalesce(c.clicks, 0) ORDER BY place), '[]', 0, x''
    FROM (SELECT DISTINCT link_id >> 8 AS id FROM link_clicks) AS g
    CROSS JOIN places
    LEFT JOIN link_clicks AS c ON c.link_id = g.id << 8 | place
    GROUP BY g.id;

DROP TRIGGER link_deleted;
DROP TABLE link_clicks;

-- How many clicks each link has.
CREATE VIEW link_clicks AS
    SELECT id AS link_id,
        coalesce((SELECT clicks ->> (links.id & 255) FROM click_groups WHERE click_groups.id = links.id >> 8), 0) AS clicks
    FROM links;

CREATE TRIGGER link_deleted AFTER DELETE ON links BEGIN
    UPDATE owners SET links = links - 1 WHERE created_by = old.created_by;
    DELETE FROM click_days WHERE link_day BETWEEN old.id * 65536 AND old.id * 65536 + 65535;
    DELETE FROM click_blocks WHERE link_id = old.id;
    INSERT OR IGNORE INTO groups_to_clean
        SELECT id FROM click_groups WHERE id = old.id >> 8 AND clicks ->> (old.id & 255) > 0;
    UPDATE click_groups SET clicks = json_replace(clicks, '$[' || (old.id & 255) || ']', 0)
        WHERE id = old.id >> 8 AND clicks ->> (old.id & 255) > 0;
END;
