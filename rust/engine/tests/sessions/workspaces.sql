-- Rows of a table whose schema changed are neither staged nor undone one by one.
SET @@dolt_author_name = 'A';
SET @@dolt_author_email = 'a@b.c';
SET @@dolt_committer_name = 'A';
SET @@dolt_committer_email = 'a@b.c';
call dolt_commit('--amend', '--allow-empty', '-m', 'init', '--author', 'A <a@b.c>', '--date', '2023-01-01T00:00:00');
create table t (pk int primary key, a int, b int);
call dolt_commit('-Am', 'one', '--author', 'A <a@b.c>', '--date', '2024-01-01T00:00:00');
insert into t values (1, 1, 1), (2, 2, 2);
call dolt_add('.');
alter table t add column c int;
update t set a = 7 where pk = 1;
update dolt_workspace_t set staged = 0 where id > 1;
update dolt_workspace_t set staged = 1 where id = 2;
delete from dolt_workspace_t where id = 2;
