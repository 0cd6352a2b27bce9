-- The counts of finished months, each of which is the sum of a month's rows of click_days: of an
-- answer about years these are most of what there is to read.
CREATE TABLE click_months (
    link_month INTEGER PRIMARY KEY, -- link_id * 4096 + month, in UTC, since 1970
    -- NULL: to be added up when another day begins; empty: the days must be read one by one
    counts     BLOB
) STRICT;

INSERT OR IGNORE INTO click_months (link_month)
    SELECT (link_day >> 16) * 4096
        + (strftime('%Y', (link_day & 65535) * 86400, 'unixepoch') - 1970) * 12
        + strftime('%m', (link_day & 65535) * 86400, 'unixepoch') - 1
    FROM click_days;

CREATE TRIGGER link_months_deleted AFTER DELETE ON links BEGIN
    DELETE FROM click_months WHERE link_month BETWEEN old.id * 4096 AND old.id * 4096 + 4095;
END;
