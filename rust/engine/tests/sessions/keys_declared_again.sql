-- UNIQUE behind a column that is added or modified is an index of the column's name, and an error where there is one.
create table t (id int primary key, a varchar(20) unique, b int, unique key c (b));
alter table t modify a varchar(30) unique;
alter table t modify column a varchar(30) not null unique key, add column d int;
alter table t change a a varchar(40) unique;
alter table t add column c int unique;
alter table t modify b bigint unique;
show create table t;
alter table t modify b int unique;
alter table t drop index b, modify b int unique;
alter table t drop index b;
alter table t modify b int unique;
show create table t;
create table both_ways (id int primary key, y int unique, a int, unique key y (a));
show create table both_ways;
