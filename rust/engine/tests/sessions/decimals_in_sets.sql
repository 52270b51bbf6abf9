-- Numbers of a set operation keep the digits that they have; text shows them.
create table t (i int, d decimal(5, 2), e decimal(8, 4), s varchar(10));
insert into t values (1, 1.50, 2.1234, 'a'), (2, null, null, null);
select concat(x) from (select 1 x union select 2.5) q;
select concat(x) from (select d x from t union all select e from t) q;
select concat(x) from (select i x from t union all select d from t) q;
select concat(x) from (select d x from t union all select 1e0) q;
select concat(x + 1) from (select i x from t union select d from t) q;
select concat(v) from (with recursive c(n, v) as (select 1, 1.00 union all select n + 1, v * 1.5 from c where n < 3) select * from c) q;
create table u as select i from t union select d from t;
show create table u;
select concat(i) from u order by i;
select 1e400;
