-- A value of a type that a column does not take is no wrong value of its own type.
create table t (id int primary key auto_increment, a decimal(10,2), b int, c double, n int not null default (nullif(id, 1)));
insert into t (a) values (cast('{}' as json));
insert into t (a) values (cast('2024-01-01' as datetime));
insert into t (a) values (cast('10:00:00' as time));
insert into t (b) values (cast('{}' as json));
insert into t (b) values (cast('10:00:00' as time));
insert into t (c) values (cast('{}' as json));
insert into t (b) values ('x');
insert into t (a) values ('x');
insert into t (id) values (1);
insert into t (id, n) values (2, null);
insert into t (id) values (3);
select * from t;
