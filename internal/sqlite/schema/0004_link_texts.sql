-- What searches look through: the codes and URLs of a run of links (see link_runs) in one row, which is read a
-- hundred times as quickly as the rows of the links. See texts.go for the form. A run that can still get
-- links, or one of whose links was changed or deleted, has no row until one is made in the background; what is
-- deleted is nowhere at once. The key is an index of its own: where rows are long, to find one WITHOUT ROWID would read
-- those on the way as a whole.
CREATE TABLE link_texts (
    id         INTEGER PRIMARY KEY,
    created_by TEXT NOT NULL,
    run        INTEGER NOT NULL, -- id of a link >> 10
    texts      BLOB NOT NULL,
    UNIQUE (created_by, run)
) STRICT;

CREATE TRIGGER link_text_inserted AFTER INSERT ON links BEGIN
    DELETE FROM link_texts WHERE created_by = new.created_by AND run = new.id >> 10;
END;

CREATE TRIGGER link_text_updated AFTER UPDATE OF id, code, url, created_at, created_by ON links BEGIN
    DELETE FROM link_texts WHERE created_by IN (old.created_by, new.created_by) AND run IN (old.id >> 10, new.id >> 10);
END;

CREATE TRIGGER link_text_deleted AFTER DELETE ON links BEGIN
    DELETE FROM link_texts WHERE created_by = old.created_by AND run = old.id >> 10;
END;
