-- A branch that another session has made meanwhile, the same.
-- Everything is committed by A on 2024-01-01.
set autocommit = 0;
select 1;
@b: call dolt_branch('by');
call dolt_branch('-f', 'by');
commit;
select name from dolt_branches;
@b: select name from dolt_branches;
@b: use `@db@/by`;
@b: create table t (id int primary key);
@b: show tables;
