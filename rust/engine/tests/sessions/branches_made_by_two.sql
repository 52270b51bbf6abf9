-- A branch that another session has made meanwhile, the same.
set @@dolt_author_name = 'A', @@dolt_author_email = 'a@b.c', @@dolt_committer_name = 'A', @@dolt_committer_email = 'a@b.c';
set @@dolt_author_date = '2024-01-01T00:00:00', @@dolt_committer_date = '2024-01-01T00:00:00';
call dolt_commit('--amend', '--allow-empty', '-m', 'init');
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
