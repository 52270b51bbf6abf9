-- Where no branch is, nothing is changed or staged: WORKING and STAGED are the commit.
-- Everything is committed by A on 2024-01-01.
create table t (id int primary key, a int);
insert into t values (1, 1);
call dolt_commit('-Am', 'one');
insert into t values (2, 2);
call dolt_commit('-Am', 'two');
call dolt_tag('v1');
insert into t values (3, 3);
call dolt_add('t');
insert into t values (4, 4);
use `@db@/v1`;
select * from t as of 'WORKING';
select * from t as of 'STAGED';
select * from t as of 'working';
show tables as of 'STAGED';
describe t as of 'WORKING';
select message from dolt_log as of 'STAGED';
select to_id, from_id, to_commit, to_commit_date, diff_type from dolt_commit_diff_t where to_commit = 'WORKING' and from_commit = hashof('HEAD~');
select to_id, from_id, from_commit, from_commit_date, diff_type from dolt_commit_diff_t where from_commit = 'STAGED' and to_commit = hashof('HEAD~');
select to_id from dolt_commit_diff_t where to_commit = 'STAGED' and from_commit = hashof('HEAD');
select dolt_hashof_db('staged') = dolt_hashof_db('HEAD'), dolt_hashof_db() = dolt_hashof_db('working');
select * from dolt_diff('HEAD', 'STAGED', 't');
select * from dolt_diff_summary('HEAD', 'WORKING');
select hashof('STAGED');
