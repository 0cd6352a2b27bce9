-- For databases with the extension citus: everything of a link is on one shard. The other tables
-- belong to owners, clients, journals or links of all shards, or are looked up by something else
-- than a code. They are small and stay on the coordinator.
SELECT create_distributed_table('links', 'code');
SELECT create_distributed_table('link_changes', 'code', colocate_with => 'links');

-- Clicks ------------------------------------------------------------------------------------------
SELECT create_distributed_table('totals', 'part', colocate_with => 'none', shard_count => 8);
SELECT create_distributed_table('level0', 'part', colocate_with => 'totals');
SELECT create_distributed_table('level1', 'part', colocate_with => 'totals');
SELECT create_distributed_table('level2', 'part', colocate_with => 'totals');
SELECT create_distributed_table('visitor_hashes_even', 'part', colocate_with => 'totals');
SELECT create_distributed_table('visitor_hashes_odd', 'part', colocate_with => 'totals');
SELECT create_distributed_table('day_counts', 'part', colocate_with => 'totals');
SELECT create_distributed_table('month_counts', 'part', colocate_with => 'totals');
SELECT create_distributed_table('dropped_counts', 'part', colocate_with => 'totals');
SELECT create_distributed_table('click_guards', 'part', colocate_with => 'totals');
