-- Errors have the same number and text.
-- A name with $ stands in back-ticks.
create table t (id int primary key, `a$b` int);
select a$b from t;
select `a$b`, `t`.`a$b` from t;
select 1 as a$b;
select 1 a$;
select $a from t;
select t.a$b from t;
select t$.id from t t$;
select `t$`.id from t `t$`;
create view v as select 1 as a$b;
create view v as select 1 as `a$b`;
select * from v;
create procedure p$x() select 1;
create procedure p() begin declare x$ int; set x$ = 1; select x$; end;
create index i$ on t (id);
alter table t add column c$ int;
insert into t (id, a$b) values (1, 2);
update t set a$b = 1;
call p$x();
