-- Tables made like others that have full-text indexes, and a statement that is accepted without effect.
create table ft (id int primary key, s varchar(20), t varchar(30), v int, fulltext key both_texts (s, t), key (v), key part (s(3)));
insert into ft values (1, 'a b', 'c', 2);
create table lobs (id int primary key, t text, key (t(5)));
create table lobs2 like lobs;
create table lob_texts (id int primary key, t text, fulltext key (t));
create table lob_texts2 like lob_texts;
create table ft2 like ft;
show create table ft2;
select dolt_hashof_table('ft2');
insert into ft2 select * from ft;
select * from ft2 where s = 'a b';
select dolt_hashof_table('ft2');
create table ft3 like ft2;
show create table ft3;
select table_name from dolt_status order by 1;
create or replace spatial reference system 20001 name 'mine' organization 'me' identified by 20001 definition 'PROJCS["x"]';
