-- Everything is committed by A on 2024-01-01.
-- Changes move to a branch that has not the table which they drop or rename.
call dolt_branch('before');
create table u (id int primary key);
create table w (id int primary key);
call dolt_commit('-Am', 'base');
rename table u to u2;
drop table w;
call dolt_checkout('--move', 'before');
show tables;
select * from dolt_status;
call dolt_checkout('main');
show tables;
select * from dolt_status;
-- Not one that they change.
insert into u values (1);
call dolt_checkout('before');
call dolt_reset('--hard');
call dolt_clean();
call dolt_checkout('main');
call dolt_checkout('--move', 'before');
call dolt_add('-A');
call dolt_checkout('--move', 'before');
