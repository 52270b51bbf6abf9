-- Rows that stand in rows.
create table t (id int primary key, a int, b int, c int, key (a, b));
insert into t values (1, 1, 2, 3), (2, 1, 2, 4), (3, 2, 3, 5), (4, 2, 3, null);
select (1, (2, 3)) in ((1, (2, 3)));
select id from t where (a, (b, c)) in ((1, (2, 3)), (2, (3, 5)));
select id from t where (a, (b, c)) = (1, (2, 3));
select id from t where ((a, b), c) in (((1, 2), 3), ((2, 3), 5));
select id, (a, (b, c)) in ((1, (2, 3)), (2, (3, 5))) from t where c is not null;
select id from t where (a, (b, c)) not in ((1, (2, 3))) and c is not null;
select id from t where (a, (b, c)) in ((1, 2, 3));
select id from t where (a, (b, c)) in ((1, (2, 3, 4)));
select id from t where (a, b) in ((1, (2, 3)));
