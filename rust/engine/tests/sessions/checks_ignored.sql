-- IGNORE passes over rows that a check refuses.
create table c (pk int primary key, constraint x check (pk < 5));
insert into c values (1), (2), (3), (4);
update ignore c set pk = pk + 1 where pk = 4;
show warnings;
update ignore c set pk = pk + 10;
select * from c;
create table t2 (pk int primary key, v varchar(1), constraint cx check (pk < 100));
insert into t2 values (1, 'a');
insert ignore into t2 values (1, 's') on duplicate key update pk = 1000;
show warnings;
insert ignore into t2 values (200, 's');
show warnings;
