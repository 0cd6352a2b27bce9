-- The first chunks of all buckets come first, then their second ones: those that a batch writes lie
-- side by side, instead of each in a page of its own. An ID was bucket * 1048576 + number. Hashes
-- that are moved leave no trace. No two rows may have one ID, which takes two steps.
PRAGMA secure_delete = ON;
UPDATE visitors_even SET id = -1 - ((id & 1048575) << 40 | (id >> 20));
UPDATE visitors_even SET id = -1 - id;
UPDATE visitors_odd SET id = -1 - ((id & 1048575) << 40 | (id >> 20));
UPDATE visitors_odd SET id = -1 - id;
PRAGMA secure_delete = OFF;
