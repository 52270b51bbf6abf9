-- Defaults that are computed of columns with defaults.
create table t5(pk bigint primary key, v1 bigint default (v2), v2 bigint default 7);
insert into t5 (pk) values (1), (2);
insert into t5 (pk, v2) values (3, 9);
insert into t5 (pk, v2) values (4, default);
insert into t5 values (5, default, default), (6, default, 10);
select * from t5;
create table t6(pk int primary key, a int default (b + 1), b int not null default 2);
insert into t6 (pk) values (1);
insert into t6 (pk, b) values (2, 5);
replace into t6 (pk) values (1);
select * from t6;
select dolt_hashof_db('WORKING');
