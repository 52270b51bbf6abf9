-- A key that is written in other letters, which its collation takes for the same, is that of the same row.
-- Everything is committed by A on 2024-01-01.
create table x (a int, b varchar(10) collate utf8mb4_0900_ai_ci, v text, primary key (b, a));
insert into x values (1, 'p', 'one'), (2, 'p', 'two'), (1, 'é', null);
call dolt_commit('-Am', 'base');
update x set b = 'P', v = 'three' where a = 2;
call dolt_commit('-am', 'other letters');
select a, message from dolt_blame_x order by a;
delete from x where a = 1;
insert into x values (1, 'E', 'four');
call dolt_commit('-am', 'written anew');
select a, message from dolt_blame_x order by a;
update x set b = 'p' where a = 2;
select a, message from dolt_blame_x order by a;
update x set a = a + 5;
select a, message from dolt_blame_x order by a;
call dolt_commit('-am', 'other keys');
select a, message from dolt_blame_x order by a;
select a, message from dolt_blame_x where b = 'é';
