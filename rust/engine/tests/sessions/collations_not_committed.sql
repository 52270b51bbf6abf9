-- The default collation of a database is a change like one of a table.
create table t (a int);
alter database `@db@` collate utf8mb4_spanish_ci;
select staged, status, table_name like '\_\_DATABASE\_\_%' from dolt_status;
select commit_hash, table_name like '\_\_DATABASE\_\_%', data_change, schema_change from dolt_diff where commit_hash in ('WORKING', 'STAGED');
call dolt_add('.');
select staged, status, table_name like '\_\_DATABASE\_\_%' from dolt_status;
select commit_hash, table_name like '\_\_DATABASE\_\_%', data_change, schema_change from dolt_diff where commit_hash in ('WORKING', 'STAGED');
create table u (a int);
alter database `@db@` collate utf8mb4_danish_ci;
select staged, status, table_name like '\_\_DATABASE\_\_%' from dolt_status;
create table __DATABASE__t (i int);
alter table u rename to __DATABASE__u;
