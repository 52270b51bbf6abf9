-- In HAVING an alias wins over a column of its name, as drivers of databases expect that ask for the kinds of tables.
create table t (a int, b int);
insert into t values (1, 10), (2, 20), (3, 30);
select a + 1 as a from t having a = 2;
select a + 1 as a, b from t having a = 2;
select b as a, a as b from t having a = 20;
select case when a = 1 then 'x' else 'y' end as a from t having a in ('x', null);
select 5 as a from t having a = 5;
select (select 7) as a from t having a = 7;
select x.a as b from (select 1 a, 2 b) x having b = 1;
select distinct a + 1 as a from t having a = 2;
select b as a from t having max(a) > 0;
select max(a) as a from t having max(a) > 1;
select table_name, case table_type when 'BASE TABLE' then 'TABLE' else table_type end as table_type from information_schema.tables where table_schema = '@db@' having table_type in ('TABLE', 'VIEW', null);
