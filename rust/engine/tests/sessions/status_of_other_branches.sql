-- AS OF a branch tells its status, AS OF a commit none.
set @@dolt_author_name = 'A', @@dolt_author_email = 'a@b.c', @@dolt_committer_name = 'A', @@dolt_committer_email = 'a@b.c';
set @@dolt_author_date = '2024-01-01T00:00:00', @@dolt_committer_date = '2024-01-01T00:00:00';
call dolt_commit('--amend', '--allow-empty', '-m', 'init');
call dolt_tag('v1');
call dolt_checkout('-b', 'other');
create table abc (a int);
call dolt_add('abc');
call dolt_checkout('main');
create table t (a int);
select * from dolt_status;
select * from dolt_status as of 'other';
select * from dolt_status_ignored as of 'other';
select * from dolt_status as of 'head';
select * from dolt_status as of 'v1';
select * from dolt_status as of 'HEAD~0';
