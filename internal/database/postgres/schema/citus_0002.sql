-- Aliases are looked up by themselves, and lead to links of all shards. Every server has all of
-- them.
SELECT create_reference_table('aliases');
