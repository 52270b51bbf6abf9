-- Where sql_mode is not strict, bytes are taken as far as they are text, and 0 as the empty member of an ENUM.
create table t (id int primary key, v varchar(20), x text);
set sql_mode = '';
insert into t values (1, unhex('41FF42'), unhex('C3A9FF'));
update t set v = unhex('42FF') where id = 1;
select id, hex(v), hex(x) from t;
insert into t values (2, 'a text of more than twenty characters', '');
create table e (e enum('a', 'b') not null);
insert into e values (0);
insert into e values ('c');
select e, e + 0 from e;
select dolt_hashof_db('WORKING');
set sql_mode = 'STRICT_ALL_TABLES';
insert into t values (3, unhex('41FF42'), '');
insert into e values (0);
create table f (id bigint unsigned not null default '1', v varchar(20) default 'def', primary key (id), fulltext idx (v));
select dolt_hashof_db('WORKING');
