-- How many links each owner has in each run of 1024 IDs, and bounds of when those were made (a delete leaves
-- the bounds as they are), so that a page deep in a list is found without reading what precedes it. Links
-- are usually in the order of their IDs; where they are not, the bounds tell.
CREATE TABLE link_runs (
    created_by TEXT NOT NULL,
    run        INTEGER NOT NULL, -- id >> 10
    links      INTEGER NOT NULL,
    first      INTEGER NOT NULL, -- no created_at is less
    last       INTEGER NOT NULL, -- no created_at is more
    PRIMARY KEY (created_by, run)
) STRICT, WITHOUT ROWID;

INSERT INTO link_runs SELECT created_by, id >> 10, count(*), min(created_at), max(created_at) FROM links GROUP BY 1, 2;

CREATE TRIGGER link_run_inserted AFTER INSERT ON links BEGIN
    INSERT INTO link_runs VALUES (new.created_by, new.id >> 10, 1, new.created_at, new.created_at)
        ON CONFLICT (created_by, run) DO UPDATE SET
            links = links + 1, first = min(first, excluded.first), last = max(last, excluded.last);
END;

CREATE TRIGGER link_run_updated AFTER UPDATE OF id, created_by, created_at ON links BEGIN
    UPDATE link_runs SET links = links - 1 WHERE created_by = old.created_by AND run = old.id >> 10;
    INSERT INTO link_runs VALUES (new.created_by, new.id >> 10, 1, new.created_at, new.created_at)
        ON CONFLICT (created_by, run) DO UPDATE SET
            links = links + 1, first = min(first, excluded.first), last = max(last, excluded.last);
    DELETE FROM link_runs WHERE created_by = old.created_by AND run = old.id >> 10 AND links = 0;
END;

CREATE TRIGGER link_run_deleted AFTER DELETE ON links BEGIN
    UPDATE link_runs SET links = links - 1 WHERE created_by = old.created_by AND run = old.id >> 10;
    DELETE FROM link_runs WHERE created_by = old.created_by AND run = old.id >> 10 AND links = 0;
END;
