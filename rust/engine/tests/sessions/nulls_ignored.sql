-- What stands for NULL where it is ignored: texts and bytes are empty.
create table z (id int primary key, a varbinary(8) not null, b binary(3) not null, c varchar(5) not null, d blob not null, e int not null);
insert ignore z values (1, null, null, null, null, null);
select id, hex(a), hex(b), hex(c), hex(d), e from z;
select dolt_hashof_table('z');
