-- ANY_VALUE makes no groups by itself: rows may be ordered by what the list does not give.
create table t (id int primary key, a int, b int);
insert into t values (1, 1, 2), (2, 2, 3), (3, 2, 4);
select any_value(a) from t order by id desc;
select any_value(a) from t order by id desc limit 2;
select any_value(a) + 1 from t order by b;
select any_value(a), any_value(b) from t order by 1, b;
select distinct any_value(a) from t order by a;
select any_value(a) q from t order by q;
select any_value(a), b from t;
select any_value(a), count(*) from t order by id;
