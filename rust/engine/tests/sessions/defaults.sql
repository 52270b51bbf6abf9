-- Defaults, as they are stored, shown and used.
create table b (id int primary key, a binary(3) default 'ab', c bit(4) default b'11', d varbinary(9) default 'it''s', f varchar(9) default 'it''s', i varbinary(3) default null, j varbinary(3) default '', k binary(2) default 0x00ff, l varbinary(30) default 'ünï', m varchar(5) default 0x41, n int default 0x10);
show create table b;
select column_name, column_default from information_schema.columns where table_name = 'b' order by ordinal_position;
insert into b (id) values (1);
select id, hex(a), c + 0, hex(d), f, i, hex(j), hex(k), hex(l), m, n from b;
alter table b add column o varbinary(4) default x'0a0b', alter column d set default 0x41;
show create table b;
select hex(o) from b;
select hex(0x), 0x = '', x'' = '';
select dolt_hashof_table('b');
-- Floats have an exponent from a million on.
create table f (id int primary key, a double default 6.398e7, b double default 1000000, c float default 1.5e-7, d double default 123456789012, e float default 16777217, g double default 150000, h double default -1e6, i varchar(30) default 6.398e7, j double default (1e7));
show create table f;
select dolt_hashof_table('f');
alter table f rename column a to aa, alter column aa drop default;
show create table f;
-- A column of ENUM that is new to a row has no member, and keeps none.
create table m (id int primary key);
insert into m values (1);
alter table m add column e enum('x', 'y') not null;
create table n (id int primary key, e enum('y', 'x'));
insert into n select * from m;
alter table m modify column e enum('q', 'x');
select *, e + 0 from m union all select *, e + 0 from n;
select dolt_hashof_table('m'), dolt_hashof_table('n');
-- NULL as a written default of JSON is a document.
create table documents (id int primary key, a json default (null), b json default (if(1, null, 1)), c json, d json default null);
insert into documents (id) values (1);
insert into documents values (2, default, default, default, default), (3, null, null, null, null);
alter table documents add column e json default null, add column f int;
select *, d is null from documents;
update documents set d = default, c = default where id = 3;
select dolt_hashof_table('documents');
-- A column that a check names is not renamed.
create table checked (id int primary key, a int, check (a < 5));
alter table checked rename column a to b;
