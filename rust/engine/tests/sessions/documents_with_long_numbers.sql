-- Whole numbers that no double holds come out of a JSON column as they went in; those of text do so here alone.
create table t (id int primary key, j json);
insert into t values (1, 9223372036854775807), (2, json_array(9223372036854775807, -9223372036854775808)), (3, cast(9007199254740993 as json)), (4, 9007199254740993), (5, 18446744073709551615);
insert into t values (6, json_object('a', 9007199254740993, 'b', json_array(9007199254740993))), (7, json_object('a', 9007199254740993));
select id, j, json_type(j), json_extract(j, '$'), j + 1 from t where id in (1, 3, 4, 5, 7) order by id;
select j from t;
select id from t where j = 9007199254740993;
select dolt_hashof_table('t');
create table n (id int primary key, c bigint unsigned, t time, f float);
insert into n values (1, 18446744073709551615, '-10:11:12.5', 0.1), (2, null, '00:00:00', null);
alter table n modify c json;
alter table n modify t json, modify f json;
select * from n order by id;
select dolt_hashof_table('n');
