-- Everything is committed by A on 2024-01-01.
-- The tag of a column that is new, or renamed with its rows, goes by the table as earlier actions have left it.
create table t (id int primary key, a int, b int, key ia (a));
insert into t values (1, 1, 1), (2, 2, 2);
alter table t add column c int, change a a2 bigint;
select dolt_hashof_table('t');
alter table t add column d int default 4, change b b2 varchar(30);
select dolt_hashof_table('t');
alter table t add column e varchar(20) after c, change id id2 bigint;
select dolt_hashof_table('t');
alter table t drop column e, add column e int;
select dolt_hashof_table('t');
-- Where rows are written anew it is none that the last commit has.
create table u (id int primary key, a int, b int, c int, d int);
insert into u values (1, 1, 1, 1, 1);
call dolt_commit('-Am', 'x');
alter table u drop column d;
alter table u add column d int default 5;
select dolt_hashof_table('u');
alter table u drop column d;
alter table u add column d int;
select dolt_hashof_table('u');
alter table u drop column d, add column d int not null;
select dolt_hashof_table('u');
