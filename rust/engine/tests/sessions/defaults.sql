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
