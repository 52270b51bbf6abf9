-- An UPDATE of conflicts counts those that it changes.
-- Everything is committed by A on 2024-01-01.
create table l (a int, b varchar(20));
create table t (id int primary key, a int, b int);
insert into l values (1, 'x');
insert into t values (1, 1, 1), (2, 2, 2);
call dolt_commit('-Am', 'base');
call dolt_branch('b1');
update l set b = 'y';
update t set a = 5, b = 6;
call dolt_commit('-Am', 'two');
call dolt_checkout('b1');
delete from l;
update t set a = 5, b = id + 6;
call dolt_commit('-Am', 'three');
set @@dolt_allow_commit_conflicts = 1;
call dolt_merge('main');
update dolt_conflicts_l set our_a = their_a;
update dolt_conflicts_t set our_a = their_a;
update dolt_conflicts_t set our_b = 7;
update dolt_conflicts_t set their_b = 9;
update dolt_conflicts_t set our_b = their_b;
select * from t;
