-- HAVING takes some of the rows when their windows are known.
create table w (g int, v int, s varchar(5));
insert into w values (1, 2, 'a'), (2, 3, 'b'), (3, 4, 'c'), (4, 5, 'd');
select g, row_number() over (order by g) r from w having r = 1;
select g, row_number() over (order by g) r from w having r > 1 and g < 3;
select g, row_number() over (order by g) r from w having g > 1;
select sum(v) over () s, g from w having s > 1 and g = 2;
select row_number() over (order by g) + 1 r from w having r = 3;
select g, row_number() over (order by g) r from w where g > 1 having r = 1;
select g, row_number() over (order by g) r from w having r > 1 order by g desc limit 2;
select x.r from (select row_number() over (order by g) r from w having r > 2) x order by x.r;
-- The offset of LAG and LEAD is a number that is written down, what stands where there is no row may be text.
select lag(v, g) over (order by v) from w;
select lag(v, 1 + 1) over (order by v) from w;
select g, lag(v, 1, 'x') over (order by v), lag(v, 1, 1.5) over (order by v), lead(s, 2, 'none') over (order by v) from w order by g;
-- Ends of frames are whole numbers or intervals.
select sum(v) over (order by v range between 1.5 preceding and 0.5 following) from w;
select sum(v) over (order by v rows between '1' preceding and current row) from w;
select sum(v) over (order by v rows between 1 + 1 preceding and current row) from w;
select sum(v) over (order by v rows between -1 preceding and current row) from w;
select sum(v) over (order by v rows between null preceding and current row) from w;
