-- RAND of a seed is the same number in every row.
create table t (a int primary key);
insert into t values (1), (2), (-7);
select a, rand(3), rand(a) from t;
select rand(0), rand(1.5), rand('3'), rand(1e10), rand(9223372036854775807), rand(-2147483647), rand(2147483647), floor(rand(7) * 100);
