-- The names of views are kept in lower case.
create table t (a int);
create view Ones as select 1 as One;
create view `All` as select a from t;
select name, fragment from dolt_schemas order by name;
show tables;
select * from ONES;
create view oNES as select 2;
create or replace view oNES as select 2 as two;
select name, fragment from dolt_schemas order by name;
select dolt_hashof_db();
drop view ONES;
select name from dolt_schemas;
