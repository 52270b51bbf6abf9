-- Everything is committed by A on 2024-01-01.
-- Where the key got a column, or another order, rows are paired by what both keys have: blame goes back to that commit.
create table t (id int primary key, a int not null, b varchar(20));
insert into t values (1, 1, 'one'), (2, 2, 'two'), (3, 3, 'three');
call dolt_commit('-Am', 'base');
alter table t drop primary key, add primary key (id, a);
call dolt_commit('-am', 'a wider key');
insert into t values (3, 4, 'x');
call dolt_commit('-am', 'rows');
select id, commit, message from dolt_blame_t;
select id, message from dolt_blame_t where id = 1;
select id, message from dolt_blame_t where id in (1, 3);
select count(*) from dolt_blame_t where id > 1;
-- The order of the older key says which rows are the same.
create table o (b varchar(10) collate utf8mb4_0900_ai_ci primary key, v int);
insert into o values ('p', 2), ('é', 1);
call dolt_commit('-Am', 'letters');
alter table o modify b varchar(30);
select to_b, to_v, from_b, from_v, diff_type from dolt_diff_o;
select column_name, diff_type from dolt_column_diff where table_name = 'o' and commit_hash = 'WORKING';
-- An author has an address.
call dolt_commit('--allow-empty', '-m', 'x', '--author', 'nobody <>');
