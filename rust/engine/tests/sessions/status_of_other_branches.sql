-- AS OF a branch tells its status, AS OF a commit none.
-- Everything is committed by A on 2024-01-01.
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
