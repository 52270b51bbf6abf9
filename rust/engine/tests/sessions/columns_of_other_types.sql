-- dolt_column_diff compares the values of a column that is of another type with what they are in it.
-- Everything is committed by A on 2024-01-01.
create table t (id int primary key, j json, d decimal(5, 1), s varchar(20), i int, f double);
insert into t values (1, '{"a": 1}', 1.5, '12', 7, 1.5), (2, null, null, null, null, null);
call dolt_commit('-Am', 'a');
alter table t modify j text, modify d int, modify s int, modify i varchar(10), modify f float;
call dolt_commit('-Am', 'other types');
select column_name, diff_type from dolt_column_diff where message = 'other types' order by column_name;
alter table t modify d bigint;
update t set i = '8' where id = 1;
call dolt_commit('-Am', 'a value');
select column_name, diff_type from dolt_column_diff where message = 'a value' order by column_name;
