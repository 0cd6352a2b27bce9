-- For PostgreSQL itself and its kin. Packed clicks do not get smaller by compression; a row that fits into a page stays in it; rows that are
-- written again and again have room beside them, so that their index need not be touched.
ALTER TABLE link_clicks SET (fillfactor = 70, toast_tuple_target = 8160);
ALTER TABLE click_blocks SET (toast_tuple_target = 8160);
ALTER TABLE click_days SET (fillfactor = 70, toast_tuple_target = 8160);
ALTER TABLE link_clicks ALTER COLUMN recent SET STORAGE EXTERNAL;
ALTER TABLE click_blocks ALTER COLUMN clicks SET STORAGE EXTERNAL;
ALTER TABLE click_days ALTER COLUMN counts SET STORAGE EXTERNAL;
