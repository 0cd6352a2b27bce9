-- How often links of each range of 1,024 IDs were changed or deleted. With how many there are
-- (link_ranges) it shows whether what was read of a range is still true.
CREATE TABLE link_range_changes (
    id_range INTEGER PRIMARY KEY, -- id >> 10
    changes  INTEGER NOT NULL
) STRICT;

CREATE TRIGGER link_range_link_changed
    AFTER UPDATE OF id, code, url, created_at, created_by, options ON links BEGIN
    INSERT INTO link_range_changes VALUES (old.id >> 10, 1)
        ON CONFLICT DO UPDATE SET changes = changes + 1;
    INSERT INTO link_range_changes SELECT new.id >> 10, 1 WHERE new.id >> 10 <> old.id >> 10
        ON CONFLICT DO UPDATE SET changes = changes + 1;
END;

CREATE TRIGGER link_range_link_deleted AFTER DELETE ON links BEGIN
    INSERT INTO link_range_changes VALUES (old.id >> 10, 1)
        ON CONFLICT DO UPDATE SET changes = changes + 1;
END;
