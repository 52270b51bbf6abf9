-- A NULL that no column takes is told before values that do not fit.
-- Errors have the same number and text.
create table t (id int not null, a int, b int not null);
insert into t values (null, 'x', 1);
insert into t values (1, 'x', null);
insert into t values (1, 2, 3), (null, 'x', 1);
insert into t select null, 'x', 1;
replace into t values (null, 'x', 1);
insert ignore into t values (null, 'x', 1);
insert into t values (1, 'x', 1);
select * from t;
create table c (id int primary key auto_increment, a int);
insert into c values (null, 'x');
insert into c values (null, 1);
select * from c;
