-- Events happen on the first branch; on others they are switched off when they are made or altered.
create table log (n int primary key auto_increment);
create event e0 on schedule every 1 day starts '2034-01-01 00:00:00' do delete from log;
create event e1 on schedule every 1 day starts '2034-01-01 00:00:00' do delete from log;
call dolt_checkout('-b', 'b1');
create table log (n int primary key auto_increment);
create event e2 on schedule every 1 day starts '2034-01-01 00:00:00' do delete from log;
show warnings;
create event e3 on schedule every 1 day starts '2034-01-01 00:00:00' disable do delete from log;
alter event e0 rename to e4;
alter event e3 enable;
alter event e3 comment 'x';
select event_name, status from information_schema.events where event_schema = database() order by 1;
select name, fragment from dolt_schemas order by name;
