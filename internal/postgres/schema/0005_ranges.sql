-- What lists combine and count, by ranges of 1,024 IDs: no list walks through a million rows.

-- Which links of an owner have a tag. Bit 0, the leftmost, is the first ID of a range.
CREATE TABLE link_sets (
    owner    text COLLATE "C" NOT NULL,
    tag      text COLLATE "C" NOT NULL, -- folded
    id_range bigint NOT NULL,           -- id >> 10
    links    bit(1024) NOT NULL,
    PRIMARY KEY (owner, tag, id_range)
);

-- How many links each owner has in a range, and when they were made. It is the sum of some rows, as
-- in owners. Links that are deleted leave the bounds as they are.
CREATE TABLE link_ranges (
    owner    text COLLATE "C" NOT NULL,
    id_range bigint NOT NULL,
    slot     integer NOT NULL,
    links    bigint NOT NULL,
    first    bigint NOT NULL, -- no created_at is less
    last     bigint NOT NULL, -- no created_at is more
    PRIMARY KEY (owner, id_range, slot)
);

-- All clicks of each link of a range, in the order of their IDs: unsigned varints. Zeros at the end
-- are left out.
CREATE TABLE click_totals (
    id_range bigint PRIMARY KEY,
    clicks   bytea NOT NULL DEFAULT ''
);

-- Rows that are written again and again have room beside them; one that fits into a page stays in
-- it.
ALTER TABLE link_sets SET (fillfactor = 70);
ALTER TABLE link_ranges SET (fillfactor = 70);
ALTER TABLE click_totals SET (fillfactor = 45, toast_tuple_target = 8160);
ALTER TABLE click_totals ALTER COLUMN clicks SET STORAGE EXTERNAL;

CREATE INDEX links_by_id ON links (id);

INSERT INTO link_sets
    SELECT owner, tag, link_id >> 10,
        bit_or(set_bit(0::bit(1024), (link_id & 1023)::integer, 1))::bit(1024)
    FROM link_tags GROUP BY owner, tag, link_id >> 10;

INSERT INTO link_ranges
    SELECT created_by, id >> 10, 0, count(*), min(created_at), max(created_at)
    FROM links GROUP BY created_by, id >> 10;

INSERT INTO click_totals
    SELECT link_id >> 10, string_agg(decode(repeat('00', gap::integer), 'hex') ||
        CASE WHEN clicks < 128 THEN set_byte('\x00', 0, clicks::integer)
        ELSE (
            SELECT string_agg(set_byte('\x00', 0, (clicks >> 7 * n & 127)::integer
                | CASE WHEN clicks >> 7 * (n + 1) > 0 THEN 128 ELSE 0 END), '' ORDER BY n)
            FROM generate_series(0, 8) AS n WHERE clicks >> 7 * n > 0
        ) END, '' ORDER BY link_id)
    FROM (
        SELECT link_id, clicks, link_id - 1 - coalesce(
            lag(link_id) OVER (PARTITION BY link_id >> 10 ORDER BY link_id),
            (link_id >> 10 << 10) - 1) AS gap
        FROM link_clicks WHERE link_id > 0 AND clicks > 0
    ) AS clicked
    GROUP BY link_id >> 10;
