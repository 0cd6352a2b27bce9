SELECT create_distributed_table('click_months', 'code', colocate_with => 'links');
SELECT truncate_local_data_after_distributing_table('click_months');
