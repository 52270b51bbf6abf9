-- AS OF behind a view says when its tables are read; the view is the one of today.
-- Everything is committed by A on 2024-01-01.
create table t (id int primary key, a int);
insert into t values (1, 10), (2, 20);
call dolt_commit('-Am', 'two rows');
insert into t values (3, 30);
call dolt_commit('-am', 'three rows');
create view v as select * from t;
create view sums as select count(*) as n, sum(a) as s from v;
create view pinned as select count(*) as n from t as of 'HEAD~1';
select * from v as of 'HEAD~1';
select * from v;
select * from sums as of 'HEAD~1';
select * from pinned as of 'HEAD';
select t.id, v.id from t left join v as of 'HEAD~1' on t.id = v.id order by t.id;
select count(*) from v where id not in (select id from v as of 'HEAD~1');
select * from v as of 'HEAD~2';
drop table t;
select * from v as of 'HEAD';
select * from v;
