-- A unique index over rows that are there twice is refused; a number that is counted stays the first column of a key; tables of
-- definitions are written by their own statements; rows of a table that lost its key are compared all the same.
-- Everything is committed by A on 2024-01-01.
create table w (a int primary key, v int);
insert into w values (1, 2), (2, 3);
call dolt_commit('-Am', 'base');
alter table w drop primary key;
select to_a, to_v, from_a, from_v, diff_type from dolt_diff('HEAD', 'WORKING', 'w');
create table k (a int, b varchar(20));
insert into k values (1, 'x'), (1, 'x'), (null, null), (null, null);
alter table k add unique u (b);
create unique index u on k (a);
show create table k;
delete from k where a = 1 limit 1;
alter table k add unique u (b);
create table t1 (id int auto_increment primary key, b varchar(30), key (b, id));
alter table t1 drop primary key;
create table t2 (id int auto_increment primary key, b varchar(30), key (id, b));
alter table t2 drop primary key;
create view v as select 1;
create procedure p() select 2;
insert into dolt_schemas (type, name, fragment) values ('view', 'x', 'create view x as select 2');
replace into dolt_schemas (type, name, fragment) values ('view', 'x', 'create view x as select 2');
update dolt_schemas set name = 'y';
delete from dolt_schemas;
truncate dolt_schemas;
insert into dolt_procedures (name, create_stmt) values ('a', 'b');
update dolt_procedures set name = 'y';
delete from dolt_procedures;
truncate dolt_procedures;
