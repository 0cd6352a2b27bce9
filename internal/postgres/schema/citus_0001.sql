-- For databases with the extension citus: all of a link is on one shard. What is left, journals and
-- owners, are small tables of the coordinator.
SELECT create_distributed_table('links', 'code');
SELECT create_distributed_table('link_clicks', 'code', colocate_with => 'links');
SELECT create_distributed_table('click_blocks', 'code', colocate_with => 'links');
SELECT create_distributed_table('click_days', 'code', colocate_with => 'links');
