-- Frames of windows: those that end before they start, several keys, and functions that do not look at them.
-- Errors have the same number and text.
create table w (id int primary key, g int, v int);
insert into w values (1, 1, 10), (2, 1, 20), (3, 1, 20), (4, 2, null), (5, 2, 5);
select id, sum(v) over (order by id desc range between 1 preceding and current row) from w order by id;
select id, sum(v) over (order by id desc range between current row and 1 following) from w order by id;
select id, count(*) over (order by id desc range between 2 preceding and unbounded following) from w order by id;
select id, sum(v) over (order by id range between 1 preceding and 1 following) from w order by id;
select id, ntile(2) over (order by id), ntile(3) over (partition by g order by id) from w order by id;
select id, lag(v) over (order by g, id range between 1 preceding and current row) from w order by id;
select id, row_number() over (partition by g order by id, v range between 1 preceding and 2 following) from w order by id;
select id, percent_rank() over (order by g, id range 2 preceding) from w order by id;
select sum(v) over (order by g, id range 2 preceding) from w;
select sum(v) over (rows between 1 following and 1 preceding) from w;
select sum(v) over (rows between 1 following and current row) from w;
select sum(v) over (rows 1 following) from w;
select rank() over (rows between unbounded following and 1 preceding) from w;
select count(*) over (rows between 1 preceding and unbounded preceding) from w;
select count(*) over (rows between current row and 1 preceding) from w;
select ntile(0) over () from w;
select lag(v, -1) over () from w;
select lag(v, 'x') over () from w;
