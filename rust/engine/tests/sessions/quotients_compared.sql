-- A quotient is compared before it is rounded to the digits that are shown; one that has a name is what is shown.
select 1/3 = 0.333333333, 1/3 = 0.3333, (1/3) = 0.333333333, 1/3 > 0.33333, 1/3 in (0.333333333), 1/3 between 0.33333 and 0.34;
select 0 in (1/100000), 1/100000 = 0, 0 = 1/100000, 1/100000 in (0, 1), 1/3 <=> 0.333333333;
select 1.0 / 3.0 = 0.333333333333333333, 1 / 3.000000000000000 = 0.333333333333333333333333333, 1/3*3 = 1, 2/3+1/3 = 1, 1 / 3 * 3 in (0.999999999);
create table t (a int primary key, b decimal(10,2), key (b));
insert into t values (1, 3.00), (2, 7.00);
select 1 from t where a/b = 0.333333333;
select 1 from t where a/b = 0.3333;
select 1 from t where b = 9/3;
select 1 from t where b > 20/3 order by b;
select 1 from t where 1/a = 1 and a/3 > 0.33333;
select a/3 as x from t having x = 0.3333;
select a as x, a/3 as y from t having (x, y) = (1, 0.3333);
select a, sum(b)/3 from t group by a having sum(b)/3 = 2.333333;
select case 1/3 when 0.3333 then 'r' when 0.333333333 then 'u' end, if(1/3 > 0.33333, 1, 0), greatest(1/3, 0.33333);
select x.a from t x join t y on x.a/3 = y.a/6;
-- All quotients of a chain but the last have whole groups of nine digits.
select 1/2/3, 1/2/3/4, 1/2/3/4/5, 1/2/3/4/5/6, 1/2/3%4/5/6, 5.2/3.1/1.7/1/1/1/1/1;
select 2/3/5/7/11/13/17, 2.0/3/5/7/11/13/17/19, 1/3*3, 2/3+1/3, 5.2/3.1/1.9/1/1/1/1/1;
