-- A foreign key uses the newest of indexes over the same columns.
create table p (a int primary key, b int, index (b));
create table c (a int primary key, b int, index k (b), constraint fk foreign key (b) references p (b));
create index later on c (b);
select dolt_hashof_db();
create index earlier on p (b);
select dolt_hashof_db();
create index longer on c (b, a);
select dolt_hashof_db();
drop index k on c;
insert into p values (1, 1);
insert into c values (1, 1);
insert into c values (2, 2);
create table s (a int primary key, b int, index x (b), constraint fks foreign key (b) references s (b));
create unique index y on s (b);
select dolt_hashof_db();
