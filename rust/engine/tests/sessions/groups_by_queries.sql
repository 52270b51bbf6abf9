-- Groups by subqueries, told by their place, their alias or written out again; literals that are no places.
create table t (id int primary key, a int);
insert into t values (1, 2), (2, 2), (3, 1);
select (select max(id) from t u where u.a = t.a) as m, count(*) from t group by 1;
select (select max(id) from t u where u.a = t.a) as m, count(*) from t group by m;
select (select max(id) from t u where u.a = t.a) as m, count(*) from t group by (select max(id) from t u where u.a = t.a);
select (select max(id) from t u where u.a = t.a) + 1, count(*) from t group by 1;
select exists (select id from t u where u.a = t.id), count(*) from t group by 1;
select id in (select a from t u where u.a = t.id), count(*) from t group by 1;
select (select max(id) from t u where u.a = t.a) as m, count(*) from t group by 1 having m > 2 order by m;
select (select max(id) from t u where u.a = t.a), t.id, count(*) from t group by 1;
select 'x' from t group by 'x';
select count(*) from t group by 7.5;
select a, count(*) from t group by 1, 'x';
select count(*) from t group by 0;
select count(*) from t group by null;
