-- What stands LATERAL reads the left side of a join whose rows are those of the left.
create table t (a int primary key, b int);
insert into t values (1, 2), (2, 3);
select * from t left join lateral (select x.b from t x where x.a = t.a) y on true order by 1;
select * from t right join lateral (select x.b from t x where x.a = t.a) y on true;
select * from t right join json_table(t.a, '$' columns (z int path '$')) y on true;
select * from t right join lateral (select x.b from t x) y on t.a = y.b order by y.b;
select t.a from t natural full join t u;
