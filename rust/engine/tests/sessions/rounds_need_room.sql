-- Columns of a recursive common table are as wide as later rounds may need them, also where they become a table.
create table b (i int, si smallint unsigned, f float, de decimal(5,2), v varchar(9), c char(3), tx text, bl varbinary(8), d date, dt datetime, t time, y year, e enum('a','b'), j json, bi bigint unsigned, bo bool);
create table c1 as select * from (with recursive r as (select * from b union all select * from r where false) select * from r) x;
show create table c1;
create table c3 as select * from (with recursive r(n, s) as (select 1, 'a' union all select n + 1, concat(s, 'x') from r where n < 300) select * from r) x;
select count(*), max(n), max(length(s)) from c3;
create table c4 as select * from (with recursive r(n) as (select 1 union all select n + 1.5 from r where n < 300) select * from r) x;
select count(*), max(n) from c4;
with recursive r(n) as (select 100 union all select n * 3 from r where n < 100000) select * from r;
with recursive r(s) as (select cast('a' as char(1)) union all select concat(s, 'bc') from r where length(s) < 6) select * from r;
with recursive r(d) as (select cast('2024-01-30' as date) union all select date_add(d, interval 1 day) from r where d < '2024-02-02') select * from r;
