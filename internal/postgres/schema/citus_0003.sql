-- What is left, shares and unknown codes, are looked up by what is on no shard: they are small
-- tables of the coordinator.
SELECT create_distributed_table('dropped_days', 'code', colocate_with => 'links');
