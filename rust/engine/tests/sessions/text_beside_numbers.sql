-- Text that is compared with a number is the number that it begins with, and a warning tells of it.
create table v (id int primary key, a varchar(5), i int, c decimal(5, 2));
insert into v values (1, 'abc', 1, 1), (2, '1x', 1, 1), (3, '2', 2, 2), (4, '', 0, 0), (5, ' 3 ', 3, 3);
select a = 0 from v order by id;
show warnings;
select id from v where a > 1 order by id;
show warnings;
select 'abc' = 0;
show warnings;
select '1a' = 1;
show warnings;
select 'abc' < 5, '12' = 12, '1e2' = 100, '' = 0;
show warnings;
select i = 'x' from v;
show warnings;
select id from v where c > 'x' order by id;
show warnings;
-- JSON_TABLE makes texts of scalars, and of truths 1 and 0.
select * from json_table('[true, false, {"a":1}, [1], null, 1.5, "x"]', '$[*]' columns (v varchar(30) path '$' default '"d"' on error)) t;
select * from json_table('[true, {"a":1}]', '$[*]' columns (v text path '$')) t;
select * from json_table('[{"a":1}]', '$[*]' columns (v varchar(30) path '$' error on error)) t;
select point('x', 1);
select st_astext(point('', 1));
select hex(lower('İ')), upper('ᾳ'), upper('ᾀ'), upper('ß'), lower('ẞ'), upper('ŉ');
