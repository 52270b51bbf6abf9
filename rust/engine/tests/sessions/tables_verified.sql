-- Verifying makes a table anew, without the trees of indexes that ALTER TABLE left behind.
create table t (a enum('c'), b varchar(40), unique (b));
alter table t drop b;
select dolt_hashof_table('t');
call dolt_verify_constraints();
select dolt_hashof_table('t');
create table u (id int primary key, a int, key ka (a));
insert into u values (1, 1), (2, null);
set @@dolt_force_transaction_commit = 1;
alter table u modify a bigint;
call dolt_verify_constraints('--all', 'u');
select dolt_hashof_table('u');
select dolt_hashof_db('WORKING');
