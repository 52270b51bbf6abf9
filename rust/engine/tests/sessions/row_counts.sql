-- ROW_COUNT() after statements of every kind.
create table t (id int primary key, v int);
insert into t values (1, 2), (2, 3);
select row_count();
select row_count();
select id from t where id = 1 into @x;
select row_count();
update t set v = 5;
select row_count();
delete from t where id = 99;
select row_count();
insert into t values (1, 2);
select row_count();
replace into t values (1, 1);
select row_count();
truncate table t;
select row_count();
select count(*), min(character_set_name) from information_schema.character_sets;
