-- A database like `db/branch` is listed beside its database while it is in use.
create table t (id int primary key, v int, key (v));
call dolt_add('-A');
call dolt_branch('b1');
use `@db@/b1`;
select table_schema = database(), table_name from information_schema.tables where table_schema like '@db@%' order by 1, 2;
select column_name, column_key from information_schema.columns where table_schema = database() order by ordinal_position;
select count(*) from information_schema.schemata where schema_name = database();
select index_name from information_schema.statistics where table_schema = database() order by 1;
use `@db@/main`;
select table_name from information_schema.tables where table_schema = database();
use @db@;
select count(*) from information_schema.tables where table_schema like '@db@/%';
