-- What is one row for all may be ordered by columns that it does not have.
create table k (id int primary key, a int);
insert into k values (1,2),(2,3);
select count(*) from k order by id;
select sum(a) from k order by a limit 1;
select count(*) from k where id > 9 order by a desc;
select max(a), count(*) from k order by max(a), a;
select count(*) from k order by a + 1 desc;
select count(*) from k having count(*) > 1 order by a;
select count(*) from k x join k y on x.id = y.id order by x.a;
select count(*) from k order by nope;
select a, count(*) from k order by a;
select count(*) over () from k order by a;
select id from k order by count(*);
select (select count(*) from k y order by y.a) from k;
