-- For databases with the extension citus: all of a link on one shard, the rest on every node.
SELECT create_distributed_table('links', 'code');
SELECT create_distributed_table('link_clicks', 'code', colocate_with => 'links');
SELECT create_distributed_table('click_blocks', 'code', colocate_with => 'links');
SELECT create_distributed_table('click_days', 'code', colocate_with => 'links');
SELECT create_reference_table('journals');
SELECT create_reference_table('owners');
