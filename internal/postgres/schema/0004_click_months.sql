-- The counts of finished months, each of which is the sum of a month's rows of click_days: of an
-- answer about years these are most of what there is to read.
CREATE TABLE click_months (
    code    text COLLATE "C" NOT NULL,
    link_id bigint NOT NULL,
    month   integer NOT NULL, -- UTC, since January 1970
    -- NULL: to be added up when another day begins; empty: the days must be read one by one
    counts  bytea,
    PRIMARY KEY (code, link_id, month)
);

ALTER TABLE click_months SET (toast_tuple_target = 8160);
ALTER TABLE click_months ALTER COLUMN counts SET STORAGE EXTERNAL;

-- Days of other centuries, which no click is from in earnest, have no sums.
INSERT INTO click_months (code, link_id, month)
    SELECT DISTINCT code, link_id, (extract(year FROM date '1970-01-01' + day)::integer - 1970) * 12
        + extract(month FROM date '1970-01-01' + day)::integer - 1
    FROM click_days WHERE day BETWEEN 0 AND 65535;
