-- dolt_stats_wait counts the keys of all tables of all branches; what is stopped is not waited for.
-- Everything is committed by A on 2024-01-01.
create table t (id int primary key, a int, s varchar(20), key ka (a), key ks (s, a));
insert into t values (1, 1, 'a'), (2, 2, 'b'), (3, 3, null), (4, 3, 'a');
create table kl (id int);
insert into kl values (1);
create table e (id int primary key);
call dolt_stats_wait();
select database_name = database(), table_name, index_name, row_count, distinct_count, null_count, `columns`, types, upper_bound, upper_bound_cnt, mcv1, mcv_counts from dolt_statistics;
insert into t values (5, 5, 'z');
call dolt_stats_wait();
select table_name, index_name, row_count from dolt_statistics;
call dolt_commit('-Am', 'tables');
call dolt_checkout('-b', 'other');
create table u (id int primary key);
insert into u values (1);
drop table t;
call dolt_stats_wait();
select table_name, index_name, row_count from dolt_statistics;
call dolt_checkout('main');
select table_name, index_name, row_count from dolt_statistics;
call dolt_stats_flush();
call dolt_stats_gc();
call dolt_stats_stop();
call dolt_stats_wait();
call dolt_stats_gc();
call dolt_stats_flush();
call dolt_stats_purge();
select count(*) from dolt_statistics;
call dolt_stats_wait();
call dolt_stats_restart();
call dolt_stats_wait();
select table_name, index_name, row_count from dolt_statistics;
call dolt_stats_timers('a', 2);
call dolt_stats_timers(1);
call dolt_stats_timers(-1, 2);
-- What a server counts in the background is not for the next script.
call dolt_stats_purge();
