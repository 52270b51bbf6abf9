-- A time that becomes a day or a moment is one of today.
create table m (id int primary key, ti time, da date, dt datetime, d6 datetime(6), ts timestamp, s set('x', 'y'), f double);
insert into m (id, ti, f) values (1, '10:11:12', -3.5), (2, '-01:00:00', 2.7), (3, '30:00:00', 0), (4, '10:00:00.6', 1e30);
update m set da = ti, dt = ti, d6 = ti, ts = ti;
select id, da is null, time(dt), time(d6), time(ts), dt > '2020-01-01' from m;
insert into m (id, dt) values (11, cast('10:00:00' as time));
select dt > '2020-01-01', time(dt) from m where id = 11;
select id, if(ti is null, da, ti) > '2020-01-01', time(if(id > 1, ti, dt)), time(case when id = 1 then d6 else ti end), cast(ti as datetime) from m where id < 5;
insert into m (id, s) select id + 20, f from m where id = 1;
insert into m (id, s) select id + 20, f from m where id = 2;
insert into m (id, s) select id + 20, f from m where id = 3;
insert into m (id, s) select id + 20, f from m where id = 4;
select id, s from m where id > 20;
