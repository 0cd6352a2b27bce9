-- The rows of internal/clickstore, which says what is in them. Keys begin with a part, by which
-- Citus distributes them: all rows of a link are in one. first and last are the times of a row's
-- clicks in microseconds since 1970, 0 in rows that have none.

-- Rows that are written once. Which of them are old, the index tells.
CREATE TABLE level0 (
    part  smallint NOT NULL,
    a     bigint NOT NULL,
    b     bigint NOT NULL,
    first bigint NOT NULL,
    last  bigint NOT NULL,
    value bytea NOT NULL,
    PRIMARY KEY (part, a, b) INCLUDE (first, last)
);

CREATE TABLE level1 (
    part  smallint NOT NULL,
    a     bigint NOT NULL,
    b     bigint NOT NULL,
    first bigint NOT NULL,
    last  bigint NOT NULL,
    value bytea NOT NULL,
    PRIMARY KEY (part, a, b) INCLUDE (first, last)
);

CREATE TABLE level2 (
    part  smallint NOT NULL,
    a     bigint NOT NULL,
    b     bigint NOT NULL,
    first bigint NOT NULL,
    last  bigint NOT NULL,
    value bytea NOT NULL,
    PRIMARY KEY (part, a, b) INCLUDE (first, last)
);

-- Hashes of visitors.
CREATE TABLE visitor_hashes_even (
    part  smallint NOT NULL,
    a     bigint NOT NULL,
    b     bigint NOT NULL,
    first bigint NOT NULL,
    last  bigint NOT NULL,
    value bytea NOT NULL,
    PRIMARY KEY (part, a, b)
);

CREATE TABLE visitor_hashes_odd (
    part  smallint NOT NULL,
    a     bigint NOT NULL,
    b     bigint NOT NULL,
    first bigint NOT NULL,
    last  bigint NOT NULL,
    value bytea NOT NULL,
    PRIMARY KEY (part, a, b)
);

-- Rows that are written again and again.
CREATE TABLE totals (
    part  smallint NOT NULL,
    a     bigint NOT NULL,
    b     bigint NOT NULL,
    first bigint NOT NULL,
    last  bigint NOT NULL,
    value bytea NOT NULL,
    PRIMARY KEY (part, a, b)
);

CREATE TABLE day_counts (
    part  smallint NOT NULL,
    a     bigint NOT NULL,
    b     bigint NOT NULL,
    first bigint NOT NULL,
    last  bigint NOT NULL,
    value bytea NOT NULL,
    PRIMARY KEY (part, a, b)
);

CREATE TABLE month_counts (
    part  smallint NOT NULL,
    a     bigint NOT NULL,
    b     bigint NOT NULL,
    first bigint NOT NULL,
    last  bigint NOT NULL,
    value bytea NOT NULL,
    PRIMARY KEY (part, a, b)
);

CREATE TABLE dropped_counts (
    part  smallint NOT NULL,
    a     bigint NOT NULL,
    b     bigint NOT NULL,
    first bigint NOT NULL,
    last  bigint NOT NULL,
    value bytea NOT NULL,
    PRIMARY KEY (part, a, b)
);

-- Packed clicks and counts do not get smaller by compression, and a row that fits into a page stays
-- in it. Half of each page is free in the tables of rows that are written again and again: the next
-- version of a row is in the same page then, its index need not be touched, and the versions before
-- it go without a vacuum.
ALTER TABLE level0 SET (toast_tuple_target = 8160);
ALTER TABLE level1 SET (toast_tuple_target = 8160);
ALTER TABLE level2 SET (toast_tuple_target = 8160);
ALTER TABLE visitor_hashes_even SET (toast_tuple_target = 8160);
ALTER TABLE visitor_hashes_odd SET (toast_tuple_target = 8160);
ALTER TABLE totals SET (fillfactor = 50, toast_tuple_target = 8160);
ALTER TABLE day_counts SET (fillfactor = 50, toast_tuple_target = 8160);
ALTER TABLE month_counts SET (fillfactor = 50, toast_tuple_target = 8160);
ALTER TABLE dropped_counts SET (fillfactor = 50, toast_tuple_target = 8160);
ALTER TABLE level0 ALTER COLUMN value SET STORAGE EXTERNAL;
ALTER TABLE level1 ALTER COLUMN value SET STORAGE EXTERNAL;
ALTER TABLE level2 ALTER COLUMN value SET STORAGE EXTERNAL;
ALTER TABLE visitor_hashes_even ALTER COLUMN value SET STORAGE EXTERNAL;
ALTER TABLE visitor_hashes_odd ALTER COLUMN value SET STORAGE EXTERNAL;
ALTER TABLE totals ALTER COLUMN value SET STORAGE EXTERNAL;
ALTER TABLE day_counts ALTER COLUMN value SET STORAGE EXTERNAL;
ALTER TABLE month_counts ALTER COLUMN value SET STORAGE EXTERNAL;
ALTER TABLE dropped_counts ALTER COLUMN value SET STORAGE EXTERNAL;

-- On Citus, how many transactions have read or written each part: click_guards by what the part's
-- worker knows, and click_parts by what the coordinator knows. Elsewhere they are empty.
CREATE TABLE click_guards (
    part   smallint PRIMARY KEY,
    number bigint NOT NULL
);
CREATE TABLE click_parts (
    part   smallint PRIMARY KEY,
    number bigint NOT NULL
);
ALTER TABLE click_guards SET (fillfactor = 50);
ALTER TABLE click_parts SET (fillfactor = 50);
