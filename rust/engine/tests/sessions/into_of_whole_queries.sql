-- INTO takes the rows of a whole query, and stands in no part of a statement.
create table t (id int primary key, v int);
insert into t values (1, 10), (2, 20);
select (select 1 into @a);
select * from (select 1 into @a) x;
with c as (select 1 into @a) select * from c;
select 1 where exists (select 1 into @a);
select id from t where id in (select 1 into @a);
select 1 union select 1 into @a;
select 1 into @a union select 1;
insert into t select 9, 9 into @a;
create table u as select 1 into @a;
update t set v = (select 5 into @a);
select @a;
(select 1) union (select 1) limit 1 into @a;
with c as (select 2 n) select n from c into @b;
select v from t where id = 2 into @c;
select v into @d from t order by id limit 1;
select @a, @b, @c, @d;
select * from t order by id;
-- What is refused wherever it stands, is refused where it is written.
select json_schema_valid('{}', '{}') from t where id > 5;
create table r (d json, check (json_schema_valid('{}', d)));
select v from t order by json_storage_size(null);
select id from t where 'a_c' like 'a_c' escape null and 'a!c' like 'a!_' escape null order by id;
