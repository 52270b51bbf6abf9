-- ALTER TABLE … MODIFY and CHANGE … PRIMARY KEY, and comments of indexes.
-- Errors have the same number and text.
create table t (id int not null, e int);
insert into t values (1, 2), (2, 3);
alter table t modify e int primary key;
show create table t;
select * from t order by e;
alter table t modify e bigint primary key;
show create table t;
alter table t drop primary key, change e f int primary key;
show create table t;
create table u (id int, e int);
insert into u values (1, 1), (1, 2);
alter table u modify id int primary key;
show create table u;
update u set id = null where e = 2;
alter table u modify id int primary key;
show create table u;
create table k (a int, key k (a) comment 'of a');
show index from k;
select comment, index_comment from information_schema.statistics where table_schema = database() and table_name = 'k';
