-- For databases with the extension citus: all of a link is on one shard. What is left belongs to
-- owners, clients, journals or links of all shards, or is looked up by what is on no shard: these
-- are small tables of the coordinator.
SELECT create_distributed_table('links', 'code');
SELECT create_distributed_table('link_states', 'code', colocate_with => 'links');
SELECT create_distributed_table('link_tags', 'code', colocate_with => 'links');
SELECT create_distributed_table('link_changes', 'code', colocate_with => 'links');

-- Clicks ------------------------------------------------------------------------------------------
SELECT create_distributed_table('link_clicks', 'code', colocate_with => 'links');
SELECT create_distributed_table('click_blocks', 'code', colocate_with => 'links');
SELECT create_distributed_table('click_days', 'code', colocate_with => 'links');
SELECT create_distributed_table('click_months', 'code', colocate_with => 'links');
SELECT create_distributed_table('dropped_days', 'code', colocate_with => 'links');
