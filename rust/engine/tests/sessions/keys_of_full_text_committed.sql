-- Everything is committed by A on 2024-01-01.
-- Columns of the tables behind a full-text index get tags that the last commit has, where only the commit has them.
create table fa (id int primary key, a varchar(20), fulltext key ft (a));
insert into fa values (1, 'one two');
call dolt_commit('-Am', 'x');
alter table fa drop primary key, add primary key (id, a);
call dolt_commit('-Am', 'y');
alter table fa drop primary key, add primary key (id);
select dolt_hashof_db();
