-- Aliases: further addresses of links. folded is the address as terse.FoldAddress has it.
CREATE TABLE aliases (
    address text COLLATE "C" PRIMARY KEY,
    folded  text COLLATE "C" NOT NULL,
    link_id bigint NOT NULL
);

CREATE INDEX aliases_folded ON aliases (folded);
CREATE INDEX aliases_of_link ON aliases (link_id);

-- Codes have only letters of ASCII, which lower folds in the collation "C".
CREATE INDEX links_folded ON links (lower(code));

-- The nodes that run, and how each compares addresses. A node that stops deletes its row.
CREATE TABLE nodes (
    journal     text COLLATE "C" PRIMARY KEY,
    ignore_case boolean NOT NULL,
    seen_at     bigint NOT NULL
);
