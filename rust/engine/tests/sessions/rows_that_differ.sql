-- DISTINCT and set operations tell texts apart by their bytes, GROUP BY and = by their collation.
create table c (id int primary key, a varchar(10) collate utf8mb4_0900_ai_ci, g varchar(10) collate utf8mb4_general_ci, key (g));
insert into c values (1, 'a', 'a'), (2, 'A', 'A'), (3, 'á', 'á'), (4, 'b', 'b'), (5, 'B', 'B'), (6, 'b', null), (7, null, 'b');
select distinct a from c order by id;
select distinct g from c where g >= 'a' order by g, id;
select distinct a, 1 from c;
select count(distinct a), count(distinct a, g) from c;
select group_concat(distinct a) from c;
select a, count(*) from c group by a;
select a from c union select g from c;
select a from c intersect select g from c;
select a from c except select 'A';
select distinct upper(a) from c;
select count(*) from (select distinct a from c) d;
with recursive r as (select a from c union select g from c) select * from r;
