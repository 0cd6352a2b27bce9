-- Aliases: further addresses of links. folded is the address as terse.FoldAddress has it. Codes are
-- folded by NOCASE, which ignores the case of ASCII letters.
CREATE TABLE aliases (
    folded  TEXT NOT NULL,
    address TEXT NOT NULL,
    link_id INTEGER NOT NULL,
    PRIMARY KEY (folded, address)
) STRICT, WITHOUT ROWID;

CREATE INDEX aliases_of_link ON aliases (link_id);

CREATE INDEX links_folded ON links (code COLLATE NOCASE);

CREATE TRIGGER link_aliases_deleted AFTER DELETE ON links BEGIN
    DELETE FROM aliases WHERE link_id = old.id;
END;
