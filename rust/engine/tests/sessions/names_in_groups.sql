-- In GROUP BY, and in ORDER BY of groups, a name that several tables have is the column of the first.
create table p (id int primary key, x int, n int);
create table c (id int primary key, x int, m int);
insert into p values (1, 1, 1), (2, 1, 2), (3, 2, 3);
insert into c values (1, 7, 1), (2, 8, 2), (3, 8, 3);
select count(*), group_concat(p.id order by p.id) from p join c on p.id = c.id group by x order by 2;
select count(*), group_concat(p.id order by p.id) from c join p on p.id = c.id group by x order by 2;
select c.x, p.x, count(*) from p join c on p.id = c.id group by x order by 3;
select count(*) from p join c on p.id = c.id group by abs(x) order by 1;
select count(*) from p, c where p.id = c.id group by x, id;
select count(*) from p join c on p.id = c.id order by x;
select c.x, count(*) from p join c on p.id = c.id group by c.x order by x;
select p.n, count(*) from p join c on p.id = c.id group by p.n order by x;
select max(p.n) from p join c on p.id = c.id group by p.n order by id;
select p.n from p join c on p.id = c.id order by x;
select id from p join c on p.id = c.id group by id;
select p.n from p join c on p.id = c.id group by p.n having x > 1;
select count(*) from p join c on p.id = c.id where x > 1 group by x;
select datediff(0, '2024-01-01'), datediff('2024-01-01', 5), datediff('0000-00-00', '2024-01-01'), datediff('2024-01-05', '2024-01-01');
