-- Lists of all owners. Nearly all installations have links of 'authenticated-user' only. The links
-- of all others are in link_ranges and link_sets once more, together, under the owner '*', so that
-- lists of all owners read the rows of two and not of thousands. Nobody is called so.

CREATE INDEX links_of_others ON links (created_at DESC, id DESC)
    WHERE created_by <> 'authenticated-user';

INSERT INTO link_ranges
    SELECT '*', id_range, sum(links), min(first), max(last) FROM link_ranges
    WHERE created_by <> 'authenticated-user' GROUP BY id_range;

-- A link is in the sets of one owner, so that the sum has the bits of all.
INSERT INTO link_sets
    SELECT '*', name, id_range, sum(links) FROM link_sets
    WHERE owner <> 'authenticated-user' GROUP BY name, id_range;

-- As link_inserted: no function, and no constraint can fail.
CREATE TRIGGER link_of_others_inserted AFTER INSERT ON links
    WHEN new.created_by <> 'authenticated-user' BEGIN
    INSERT INTO link_ranges VALUES ('*', new.id >> 10, 0, new.created_at, new.created_at)
        ON CONFLICT DO NOTHING;
    UPDATE link_ranges SET links = links + 1,
        first = CASE WHEN first < new.created_at THEN first ELSE new.created_at END,
        last = CASE WHEN last > new.created_at THEN last ELSE new.created_at END
        WHERE created_by = '*' AND id_range = new.id >> 10;
END;

CREATE TRIGGER link_range_of_others_updated AFTER UPDATE OF created_by, created_at ON links
    WHEN old.created_by <> 'authenticated-user' OR new.created_by <> 'authenticated-user' BEGIN
    UPDATE link_ranges SET links = links - 1
        WHERE created_by = '*' AND id_range = old.id >> 10
            AND old.created_by <> 'authenticated-user';
    INSERT INTO link_ranges
        SELECT '*', new.id >> 10, 1, new.created_at, new.created_at
        WHERE new.created_by <> 'authenticated-user'
        ON CONFLICT DO UPDATE SET links = links + 1,
            first = min(first, excluded.first), last = max(last, excluded.last);
    DELETE FROM link_ranges WHERE created_by = '*' AND id_range = old.id >> 10 AND links = 0;
END;

-- Triggers run in no certain order: the bits of the link are still in the sets of its former owner,
-- or already in those of the new one.
CREATE TRIGGER link_of_others_given AFTER UPDATE OF created_by ON links
    WHEN (old.created_by = 'authenticated-user') <> (new.created_by = 'authenticated-user') BEGIN
    INSERT INTO link_sets
        SELECT '*', name, id_range, 1 << (old.id & 63) FROM link_sets
        WHERE id_range = old.id >> 6 AND owner IN (old.created_by, new.created_by)
            AND links & (1 << (old.id & 63)) <> 0 AND new.created_by <> 'authenticated-user'
        ON CONFLICT DO UPDATE SET links = links | excluded.links;
    UPDATE link_sets SET links = links & ~(1 << (old.id & 63))
        WHERE id_range = old.id >> 6 AND owner = '*' AND new.created_by = 'authenticated-user';
    DELETE FROM link_sets WHERE id_range = old.id >> 6 AND owner = '*' AND links = 0;
END;

CREATE TRIGGER link_of_others_deleted AFTER DELETE ON links
    WHEN old.created_by <> 'authenticated-user' BEGIN
    UPDATE link_ranges SET links = links - 1 WHERE created_by = '*' AND id_range = old.id >> 10;
    DELETE FROM link_ranges WHERE created_by = '*' AND id_range = old.id >> 10 AND links = 0;
    UPDATE link_sets SET links = links & ~(1 << (old.id & 63))
        WHERE id_range = old.id >> 6 AND owner = '*' AND links & (1 << (old.id & 63)) <> 0;
    DELETE FROM link_sets WHERE id_range = old.id >> 6 AND owner = '*' AND links = 0;
END;
