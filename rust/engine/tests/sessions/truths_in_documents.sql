-- In documents what is true or false by its form is so, a TINYINT(1) is the number that it holds.
create table truths (x tinyint(1), y bool, z int);
insert into truths values (1, true, 1), (0, false, 0), (5, null, -3);
select json_array(x, y, z), json_object('x', x, 'y', y, 'n', not y, 'c', y and x, 'e', x = z) from truths;
select json_arrayagg(x), json_objectagg(z, y) from truths;
select json_array(coalesce(x, 2), if(z, true, false), ifnull(y, 3), max(x), min(y), sum(x)) from truths group by x, y, z;
select json_array((select y from truths where z = 1), case when x then x else y end, x + 0, -x) from truths;
select json_set('{}', '$.a', x), json_array(true, false, null, 1 = 1, x is null, x in (1), exists (select 1), isnull(x)) from truths;
select x, json_array(x) from truths group by x;
