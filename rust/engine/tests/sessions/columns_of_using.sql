-- The order of columns of joins with USING.
create table t1 (i int, j int, x int);
create table t2 (y int, j int, i int);
insert into t1 values (1, 2, 3), (4, 5, 6);
insert into t2 values (7, 2, 1), (8, 9, 10);
select * from t1 join t2 using (j, i);
select * from t1 left join t2 using (j, i) order by 1;
select * from t1 right join t2 using (j, i) order by 1;
select * from t1 right join t2 using (i) order by 1;
select * from t1 natural join t2;
select * from t2 natural join t1;
select * from t1 natural right join t2 order by 1;
select * from t1 join t2 using (i) join t1 t3 using (x, i);
