-- The newest clicks of 4,096 links whose IDs are neighbours, which become pending when they are
-- many: so a batch that is spread over many links writes few rows.
CREATE TABLE new_clicks (
    id     INTEGER PRIMARY KEY, -- (link_id >> 12) * 256 + number
    first  INTEGER NOT NULL,
    last   INTEGER NOT NULL,
    clicks BLOB NOT NULL
) STRICT;
