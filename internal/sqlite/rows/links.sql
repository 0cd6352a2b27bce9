-- What counting has to know of links.

-- The numbers of owners, from 1 on.
CREATE TABLE owner_numbers (
    number INTEGER PRIMARY KEY,
    owner  TEXT NOT NULL UNIQUE
) STRICT;

-- The links that were deleted, and those that got another code or owner. Numbers are in the order
-- of commits: who counts next gives them. A row goes when it is applied and a day old, but the
-- newest stays, so that there always is one.
CREATE TABLE tombstones (
    id      INTEGER PRIMARY KEY,
    link_id INTEGER NOT NULL,
    code    TEXT NOT NULL,
    deleted INTEGER NOT NULL, -- 0: the link has another code or owner
    applied INTEGER NOT NULL, -- whether the rows of the deleted link are gone
    number  INTEGER UNIQUE,   -- NULL: to be given
    random  INTEGER,          -- another one, had it been given at another time
    at      INTEGER           -- when it was given, in microseconds since 1970
) STRICT;
CREATE INDEX tombstones_by_link ON tombstones (link_id);
CREATE INDEX tombstones_to_number ON tombstones (id) WHERE number IS NULL;
CREATE INDEX tombstones_to_apply ON tombstones (number) WHERE applied = 0;
INSERT INTO tombstones VALUES (1, 0, '', 0, 1, 1, random(), unixepoch() * 1000000);

CREATE TRIGGER link_buried AFTER DELETE ON links BEGIN
    INSERT INTO tombstones (link_id, code, deleted, applied) VALUES (old.id, old.code, 1, 0);
END;

CREATE TRIGGER link_has_another_code AFTER UPDATE OF code ON links
    WHEN old.code <> new.code BEGIN
    INSERT OR IGNORE INTO former_codes VALUES (old.id, old.code);
    INSERT INTO tombstones (link_id, code, deleted, applied) VALUES (old.id, old.code, 0, 1);
END;

CREATE TRIGGER link_has_another_owner AFTER UPDATE OF created_by ON links
    WHEN old.created_by <> new.created_by BEGIN
    INSERT INTO tombstones (link_id, code, deleted, applied) VALUES (old.id, old.code, 0, 1);
END;
