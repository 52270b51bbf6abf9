-- The removal of a table is not undone row by row; a table is staged by the name that it has, letter for letter.
SET @@dolt_committer_name = 'A';
SET @@dolt_committer_email = 'a@b.c';
SET @@dolt_committer_date = '2024-01-01T00:00:00';
call dolt_commit('--amend', '--allow-empty', '-m', 'init', '--author', 'A <a@b.c>', '--date', '2023-01-01T00:00:00');
create table w (id int primary key);
insert into w values (1);
call dolt_add('W');
call dolt_add('w');
call dolt_commit('-m', 'w', '--author', 'A <a@b.c>', '--date', '2024-01-01T00:00:00');
insert into w values (4);
drop table w;
delete from dolt_workspace_w;
