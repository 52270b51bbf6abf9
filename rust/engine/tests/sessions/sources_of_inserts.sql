-- What is wrong with the query of an INSERT is told before what is wrong with its columns; generated ones take no values, nor none.
create table t1 (id int, c5 int, g7 bigint as (c5) stored);
create table t12 (c13 int);
insert t1 (id, g7) select 7, c13 from t12;
insert t1 (nope) select x from nowhere;
insert t1 (nope) select x from t12;
insert t1 (nope) select c13 from t12;
insert t1 (nope) select 1, 2;
insert t1 (id) select 1, 2;
insert t1 (id, c5) select 1, 2;
select * from t1;
create table needed (id int, v int not null);
insert needed (id) select c13 from nowhere;
insert needed (id) select c13 from t12;
insert t12 values (1);
insert needed (id) select c13 from t12;
insert ignore needed (id) select c13 from t12;
insert needed (id) values (1);
select * from needed;
