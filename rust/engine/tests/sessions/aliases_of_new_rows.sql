-- INSERT … VALUES … AS new(…) ON DUPLICATE KEY UPDATE: the names are those of the columns that have values.
create table t (id int primary key, a int, b int default 7);
insert into t (id, a) values (1, 1);
insert into t (id, a) values (1, 2) as n on duplicate key update a = n.a + t.a;
insert into t (id, a) values (1, 2) as n(x, y) on duplicate key update a = y + t.a;
insert into t (id, a) values (1, 9) as n(x, y) on duplicate key update a = n.y, b = n.x;
insert into t (a, id) values (4, 1) as n(p, q) on duplicate key update b = p + q;
insert into t (id, a) values (1, 3) as n(id, a) on duplicate key update b = n.a + t.b;
insert into t (id, a) values (1, 2) as n(x, y) on duplicate key update a = n.a;
insert into t (id, a) values (1, 2), (2, 5) as n(x, y) on duplicate key update a = y;
insert into t set id = 1, a = 5 as n on duplicate key update b = n.a;
select * from t order by id;
