-- The default collation of a database is an uncommitted change where a commit is picked.
-- Everything is committed by A on 2024-01-01.
create table h (id int primary key, a int);
insert into h values (1, 1);
call dolt_commit('-Am', 'base');
call dolt_branch('b');
insert into h values (2, 2);
call dolt_commit('-am', 'of main');
call dolt_checkout('b');
insert into h values (3, 3);
call dolt_commit('-am', 'of b');
alter database `@db@` collate utf8mb4_general_ci;
call dolt_cherry_pick('main');
call dolt_rebase('main');
call dolt_rebase('-i', 'main');
select * from h;
call dolt_commit('-Am', 'collation');
call dolt_cherry_pick('main');
select * from h;
