-- Numbers that TIMESTAMP, YEAR and BIT make with others: no whole number wraps round.
create table n (id int primary key, i int, u bigint unsigned, y year, da date, dt datetime, ts timestamp, b bit(8), d decimal(6,2));
insert into n values (1, 5, 18446744073709551615, 2024, '2024-01-02', '2024-01-02 03:04:05', '2024-01-02 03:04:05', 255, 1.5), (2, -3, 0, 1999, '1999-12-31', '1999-12-31 23:59:59', '1999-12-31 23:59:59', 0, -1);
select ts + i, ts - 1, ts * 2, i + ts from n order by id;
select ts + ts, ts * ts, ts - ts, da + ts, ts * da, dt + ts, ts * dt from n order by id;
select ts + u, ts * u, u - ts, y + u, y * u, u - y, y + i, i * y from n order by id;
select y + y, y - y, y * y, y + d, ts + d from n order by id;
select b + i, b * 2, i - b, b + b, b + y, b + ts from n order by id;
select dt + dt, da + da, da + dt, i + u, u + d from n order by id;
create table made select ts + 1 a, y + 1 b, y + y c, b + 1 d from n;
show create table made;
select coalesce(da, dt), coalesce(ts, dt), coalesce(da, da), ifnull(da, dt), if(id > 1, da, dt) from n order by id;
