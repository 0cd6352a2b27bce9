-- What is left, tags and answers, belongs to owners and to clients, who are on no shard: they are
-- small tables of the coordinator.
SELECT create_distributed_table('link_states', 'code', colocate_with => 'links');
SELECT create_distributed_table('link_tags', 'code', colocate_with => 'links');
SELECT create_distributed_table('link_changes', 'code', colocate_with => 'links');
