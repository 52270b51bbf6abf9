-- CAST AS YEAR takes the number at the beginning of a text.
select cast('2001-02-03' as year), cast(timestamp '2001-02-03 04:05:06' as year), cast('a.b.c' as year), cast('[]' as year), cast('0000-00-00' as year);
select cast('1' as year), cast('0' as year), cast('70' as year), cast('2024.6' as year), cast('24x' as year), cast('' as year), cast(null as year);
select cast(date '2024-01-01' as year), convert('2024', year), cast(cast(false as json) as year), cast(cast('"2030"' as json) as year), cast(cast('[1]' as json) as year);
select cast(0 as year), cast(1 as year), cast(70 as year), cast(2024.6 as year), cast(1901 as year);
create table y (id int primary key, v varchar(20), c char(4));
insert into y values (1, '2021-05-05', '2022'), (2, '', '7'), (3, null, null);
select id, cast(v as year), cast(c as year) from y;
select id from y where cast(v as year) = 2021;
