-- A list of values without names has one for each column: DEFAULT for those that are generated.
create table t (id int primary key, a int, g int as (a + 1) stored, v int as (a * 2) virtual);
insert into t values (1, 1);
insert into t values (1, 1, default, default);
insert into t values (2, 1, 2, 2);
insert into t () values (2, 1);
insert into t (id, a) values (3, 3);
replace into t values (1, 5);
insert into t select 4, 4;
insert into t values (5, 5, default);
insert into t values (6, 6, default, default), (7, 7);
insert into t values (6, 6, default, default), (7, 7, default, default);
select * from t order by id;
