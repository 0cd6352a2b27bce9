-- The clicks of all links of an owner are counted together, as if they were those of one more link:
-- its ID, which is negative, and has a bucket to itself.
CREATE TABLE click_owners (
    created_by TEXT PRIMARY KEY NOT NULL,
    link_id    INTEGER NOT NULL UNIQUE
) STRICT, WITHOUT ROWID;

-- What was counted so far is of the one owner that there was.
INSERT INTO click_owners VALUES ('authenticated-user', -140737488355328);
