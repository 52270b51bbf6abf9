-- Options of table functions: `=` gives one word, and nothing behind it; `--` ends them. Names that no tag may have.
-- Everything is committed by A on 2024-01-01.
create table t (id int primary key, a int);
create table u (id int primary key, b varchar(10));
insert t values (1, 1), (2, 2);
insert u values (1, 'x');
call dolt_commit('-Am', 'base');
call dolt_branch('start');
insert t values (3, 3);
update u set b = 'z';
select * from dolt_diff('--include-cols=b', 'HEAD', 'main', 'u');
call dolt_commit('-am', 'more');
select * from dolt_diff('--skinny', '--include-cols=b', 'HEAD~1', 'main', 'u');
select message from dolt_log('--tables=t', 'start');
select message from dolt_log('start', '--tables', 't');
select message from dolt_log('main', '--');
select message from dolt_log('--', 'start');
select message from dolt_log('--not=HEAD~1', 'main');
select message from dolt_log('start', '--all');
select message from dolt_log('--all');
select message from dolt_log('main', '--min-parents', 'x');
select * from dolt_test_run('*');
select * from dolt_test_run();
call dolt_tag('HEAD');
call dolt_tag('0123456789abcdefghijklmnopqrstuv');
