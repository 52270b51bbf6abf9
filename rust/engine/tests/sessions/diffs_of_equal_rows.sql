-- Rows of a table without primary key in diffs: one for each that came or went, but of a table that came or went once.
-- Everything is committed by A on 2024-01-01.
create table k (a int, b int);
insert into k values (1, 1), (1, 1), (2, 2);
call dolt_commit('-Am', 'x');
select to_a, from_a, diff_type from dolt_diff('HEAD~1', 'HEAD', 'k') order by to_a;
select to_a, diff_type from dolt_diff_k order by to_a;
select to_a, diff_type from dolt_commit_diff_k where from_commit = dolt_hashof('HEAD~1') and to_commit = 'HEAD' order by to_a;
select to_a, diff_type from dolt_commit_diff_k where from_commit in ('HEAD~1') and to_commit in (hashof('HEAD')) order by to_a;
insert into k values (1, 1), (1, 1), (3, 3);
select to_a, from_a, diff_type from dolt_diff('HEAD', 'WORKING', 'k') order by to_a;
select to_a, from_a, diff_type from dolt_diff('--skinny', 'HEAD', 'WORKING', 'k') order by to_a;
select to_a, from_a, diff_type from dolt_workspace_k order by to_a;
call dolt_commit('-am', 'y');
select to_a, from_a, diff_type from dolt_diff('HEAD~1', 'HEAD', 'k') order by to_a;
select a, count(*) from dolt_history_k group by a order by a;
delete from k where a = 1 limit 3;
select to_a, from_a, diff_type from dolt_diff('HEAD', 'WORKING', 'k') order by from_a;
select rows_added, rows_deleted from dolt_diff_stat('HEAD', 'WORKING');
drop table k;
select to_a, from_a, diff_type from dolt_diff('HEAD', 'WORKING', 'k') order by from_a;
