-- Tables that people write are made by the first statement that may write them.
delete from dolt_tests;
update dolt_ignore set ignored = 1 where pattern = 'x';
select * from dolt_status order by table_name;
select dolt_hashof_db();
