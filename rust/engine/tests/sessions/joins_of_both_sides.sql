-- Subqueries in the condition of a FULL JOIN.
create table t (id int primary key, a int);
create table u (id int primary key, b int);
insert t values (1,3),(2,1),(3,1),(5,null); insert u values (1,1),(2,2),(4,3),(5,5);
select a.id,b.id from t a full join u b on a.id = b.id and a.id in (select a from t) order by 1,2;
select a.id,b.id from t a full join u b on a.id = (select max(id) from t where id = b.id) order by 1,2;
select a.id,b.id from t a full join u b on a.id = b.id and exists (select 1 from t c where c.id=2 and c.id = a.id) order by 1,2;
select a.id,b.id from t a full join u b on a.id = b.id and b.b > (select min(a) from t) order by 1,2;
select a.id,b.id from t a full join u b on a.id = b.id and b.b in (select a from t where t.id > b.id) order by 1,2;
select a.id,b.id from t a full join u b on a.id = b.id and exists (select 1) order by 1,2;
select a.id,b.id from t a full join u b on a.id = b.id and not exists (select 1) order by 1,2;
select a.id,b.id from t a full join u b on a.a = (select min(x.b) from u x where x.id >= b.id) and a.id > (select count(*) from u y where y.id < a.id) order by 1,2;
select count(*) from t a full join u b on a.id = b.id and a.a in (select b from u) where a.id is null;
select a.*, b.* from t a full join u b on a.id = b.id or a.id = (select 4) order by 1,3;
