-- A subquery of the select list knows what stands before it there by its alias, unless FROM has a column of that name.
create table t (a int primary key, b int);
insert into t values (1,10),(2,20),(3,5);
select a as x, (select max(a) from t where a <= x) from t order by 1;
select a+1 as x, (select x), (select x+1) from t order by 1;
select a+1 as a, (select a) from t order by 1;
select a+1 as b, (select b from dual where b > 2) from t order by 1;
select count(*) as n, (select n) from t;
select sum(a) as n, (select n+1) from t group by b order by 1;
select a+1 as x, exists (select 1 from t q where q.a = x) from t order by 1;
select a+1 as x, a in (select q.a from t q where q.a = x) from t order by 1;
select row_number() over (order by a) as r, (select r) from t;
select a as x, (select max(q.a) from (select a from t where a <= x) q) from t;
select a as x, (select count(*) from t q group by q.a having q.a = x) from t;
select a as x, (select q.b from t q order by q.a = x desc limit 1) from t order by 1;
select 1 as foo, if((select foo), 'a', 'b');
select a as x, (select (select x)) from t order by 1;
select a x, (select 5 x union select 6 order by x limit 1) from t order by 1;
select a as x, (select max(t2.a) from t t2 where t2.a <= x), count(*) from t group by a order by 1;
select a x, (select count(*) from t q where q.a >= x and q.a in (select x)) from t order by 1;
with c as (select 3 as x) select 4 as y, (select y + x from c);
-- What is a subquery itself, or has one, is known, too.
select a as x, (select x + x) y, (select y) from t order by 1;
select (select max(a) from t) y, (select y + 1) from t;
select a x, (select x) y, (select y), (select (select y) + 1) z, (select z + y) from t order by 1;
select exists (select 1) e, (select e) from t;
select a in (select q.b from t q) e, (select e + 1) from t;
select (select count(*) from t q where q.a <= t.a) n, (select max(q.b) from t q where q.a <= n) from t order by 1;
select (select 1 union select 2) y, (select y);
select a + (select 1) y, (select y), y is null from t order by 1;
select a + (select 1) y, (select y) from t having y > 2 order by y;
-- Not what stands behind it, not outside of subqueries.
select (select x), a as x from t order by 1;
select a as x, x from t;
select a as x from t where (select x) = 1;
-- Beside ANY_VALUE and aggregates of all rows a subquery reads any column.
select any_value(a), (select max(a) from t x where x.a < t.a) from t;
select any_value(a), (select max(a) from t x where x.a < t.a), count(*) from t;
select any_value(a), b, count(*) from t;
-- Names of tables are unique with those of derived ones.
select * from t join (select 1) t;
select * from (select * from t) w join t w;
select * from (select 1 as x) a join (select 2 as y) b;
