-- The fraction of a moment is lost in arithmetic, and rounded where it is shown without.
create table m (id int primary key, dt datetime, d3 datetime(3), d6 datetime(6), ts timestamp(6), da date);
insert into m values (1, '2024-02-29 10:00:00', '2024-01-02 03:04:05.678', '2024-01-02 03:04:05.678901', '2024-01-02 03:04:05.678901', '2024-02-29');
insert into m values (2, '2023-12-31 23:59:59', '2024-01-02 03:04:05', null, '2024-01-02 03:04:05.5', '2023-12-31');
select d3 / 7, d6 / 7, ts / 7, 7 / d3, d3 / 7 / 7, d3 / 7 * 2, round(d3 / 7, 2), d6 / d3 from m;
select concat(d3 / 7), concat(avg(d3)), concat(sum(d3) / 7) from m group by d3 order by d3;
select d3 + 1, d3 + 0, d3 * 1, d3 - 0.5, d3 / 1, d3 div 1, d3 % 7, d3 + d3, d3 - d6 from m;
select d6 + 1, d6 + 0.5, d6 + 1e0, d6 + '1', ts + 1, ts * 1.0 from m;
select max(d3) + 1, sum(d3 + 0), d3 + 0 = 20240102030405.678 from m group by d3;
create table made as select d3 + 1 as a, d6 + 0.5 as b, d3 * 1.5 as c, d3 / 2 as d from m;
select * from made;
show create table made;
select dt + interval 700000 microsecond, dt - interval 300000 microsecond, dt - interval 700000 microsecond, dt + interval 500000 microsecond from m;
select da + interval 999999 microsecond, da - interval 2 microsecond, date_sub(da, interval '0.2' second) from m;
select da - interval 2 microsecond as k, count(*) from m group by k order by k;
select cast(dt - interval 300000 microsecond as char), (dt - interval 300000 microsecond) + 0, microsecond(dt - interval 300000 microsecond) from m;
