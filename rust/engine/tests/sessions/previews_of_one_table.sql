-- dolt_preview_merge_conflicts merges the table that it is asked for, and says nothing of others.
-- Everything is committed by A on 2024-01-01.
create table t (a decimal);
create table k (id int, a int);
insert k values (1, 1), (2, 2);
create table c (id int primary key, v int);
insert into c values (1, 1), (2, 2);
call dolt_commit('-Am', 'base');
call dolt_branch('b1');
alter table k add primary key (id);
update c set v = 10 where id = 1;
call dolt_commit('-Am', 'ours');
call dolt_checkout('b1');
update k set id = 5 where id = 2;
update c set v = 11 where id = 1;
call dolt_commit('-Am', 'theirs');
select * from dolt_preview_merge_conflicts('main', 'b1', 't');
select our_id, our_v, their_v, base_v from dolt_preview_merge_conflicts('main', 'b1', 'c');
select * from dolt_preview_merge_conflicts('main', 'b1', 'k');
select * from dolt_preview_merge_conflicts_summary('main', 'b1');
