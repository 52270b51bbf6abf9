-- The names that ANALYZE tells.
create table TaB (a int primary key);
analyze table tab;
analyze table tAB update histogram on a using data '{"row_count": 4}';
