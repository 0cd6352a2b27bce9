-- The rows of internal/clickstore, which says what is in them. first and last are the times of a
-- row's clicks in microseconds since 1970, 0 in rows that have none.

-- Where a key fits into 64 bits, it is the rowid: A << 24 | B.
CREATE TABLE totals (
    id    INTEGER PRIMARY KEY,
    first INTEGER NOT NULL,
    last  INTEGER NOT NULL,
    value BLOB NOT NULL
) STRICT;

CREATE TABLE level0 (
    id    INTEGER PRIMARY KEY,
    first INTEGER NOT NULL,
    last  INTEGER NOT NULL,
    value BLOB NOT NULL
) STRICT;

CREATE TABLE level1 (
    id    INTEGER PRIMARY KEY,
    first INTEGER NOT NULL,
    last  INTEGER NOT NULL,
    value BLOB NOT NULL
) STRICT;

-- Hashes of visitors. What is deleted there is overwritten with zeros.
CREATE TABLE visitor_hashes_even (
    id    INTEGER PRIMARY KEY,
    first INTEGER NOT NULL,
    last  INTEGER NOT NULL,
    value BLOB NOT NULL
) STRICT;

CREATE TABLE visitor_hashes_odd (
    id    INTEGER PRIMARY KEY,
    first INTEGER NOT NULL,
    last  INTEGER NOT NULL,
    value BLOB NOT NULL
) STRICT;

-- The others have an index by their keys, from which times and sizes are read, too. They are not
-- WITHOUT ROWID: to compare a key there, SQLite reads its row with the value.
CREATE TABLE level2 (
    a     INTEGER NOT NULL,
    b     INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last  INTEGER NOT NULL,
    value BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX level2_keys ON level2 (a, b, first, last, length(value));

CREATE TABLE day_counts (
    a     INTEGER NOT NULL,
    b     INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last  INTEGER NOT NULL,
    value BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX day_counts_keys ON day_counts (a, b, first, last, length(value));

CREATE TABLE month_counts (
    a     INTEGER NOT NULL,
    b     INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last  INTEGER NOT NULL,
    value BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX month_counts_keys ON month_counts (a, b, first, last, length(value));

CREATE TABLE dropped_counts (
    a     INTEGER NOT NULL,
    b     INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last  INTEGER NOT NULL,
    value BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX dropped_counts_keys ON dropped_counts (a, b, first, last, length(value));
