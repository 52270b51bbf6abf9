-- An UPDATE of conflicts gives our side a row that it has deleted, as it changes one that is there.
-- Errors have the same number and text.
-- Everything is committed by A on 2024-01-01.
create table t (id int primary key, a int not null, b int default 3);
create table k (id int, a int, b varchar(10) default 'q', key (a));
insert t (id, a) values (1, 1), (2, 2), (4, 4);
insert k (id, a) values (1, 1), (2, 2);
call dolt_commit('-Am', 'base');
call dolt_checkout('-b', 'other');
update t set a = 10 where id in (1, 4);
delete from t where id = 2;
update k set a = 10 where id = 1;
insert t values (3, 3, 3);
call dolt_commit('-am', 'theirs');
call dolt_checkout('main');
delete from t where id in (1, 4);
update t set a = 7 where id = 2;
delete from k where id = 1;
insert t values (3, 4, 5);
call dolt_commit('-am', 'ours');
set @@dolt_force_transaction_commit = 1;
call dolt_merge('other');
select base_id, our_id, our_a, our_b, our_diff_type, their_id from dolt_conflicts_t;
update dolt_conflicts_t set our_a = 6 where base_id = 1;
update dolt_conflicts_t set our_id = 5 where base_id = 1;
update dolt_conflicts_t set our_id = 2, our_a = 8 where base_id = 1;
update dolt_conflicts_t set our_a = null where base_id = 2;
update dolt_conflicts_t set our_id = 5, our_a = 6 where base_id = 4;
update dolt_conflicts_t set our_id = their_id, our_a = their_a, our_b = their_b where base_id = 1 or their_id = 3;
select * from t;
select base_id, our_id, our_a, our_b, our_diff_type, their_id from dolt_conflicts_t;
update dolt_conflicts_k set our_id = 4, our_a = 6;
select * from k order by id, a;
select dolt_hashof_table('t'), dolt_hashof_table('k');
-- TRUNCATE leaves conflicts to be resolved.
truncate t;
truncate k;
select * from dolt_conflicts;
select base_id, our_id, our_diff_type, their_id from dolt_conflicts_t;
call dolt_conflicts_resolve('--theirs', 't');
select * from t;
select * from dolt_conflicts;
