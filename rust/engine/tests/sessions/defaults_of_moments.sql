-- information_schema tells defaults of days as midnights, and whole seconds.
create table p (a date default '2024-01-02', b date default (curdate()), d date default null, e datetime default '2024-01-02', f date default (date('2024-01-02')), g timestamp default '2024-01-02 01:02:03', h datetime(3) default '2024-01-02 01:02:03.5', i time default '01:02:03', j varchar(10) default '2024-01-02');
select column_name, column_default from information_schema.columns where table_name = 'p' and table_schema = database();
show columns from p;
create table no_digits (id int primary key, a datetime default current_timestamp(0), b datetime(0) default now(0) on update now(0), c datetime default (now(0)), d datetime(3) default now(3));
show create table no_digits;
create table times (a time default '10:00', b time default '1:2:3.5', c time default 101112, d time default '-5:00', e time default '10', f time default 0, g time default null, h time default (curtime()));
show create table times;
show columns from times;
select column_name, column_default from information_schema.columns where table_name = 'times' and table_schema = database();
