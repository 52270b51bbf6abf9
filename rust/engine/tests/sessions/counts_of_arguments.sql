-- How many arguments a function has is looked at also where there are no rows.
-- Errors have the same number and text.
create table t (id int primary key, a json, g geometry);
select json_set(a, '$.a', 1, '$.b') from t;
select json_set(a, '$.a') from t;
select json_insert(a, '$.a', 1, '$.b') from t;
select json_replace(a, '$.a', 1, '$.b', 2, '$.c') from t;
select json_array_append(a, '$', 1, '$') from t;
select json_array_insert(a, '$[0]', 1, '$[1]') from t;
select json_object('a') from t;
select json_object('a', 1, 'b') from t;
select json_object(), json_object('a', 1), json_set('{}', '$.a', 1, '$.b', 2);
create table u (id int primary key, a json, check (json_object('a', id, 'b') is not null));
create view v as select json_replace(a, '$.a', 1, '$.b') from t;
update t set a = json_set(a, '$.a');
delete from t where json_set(a, '$.a', 1, '$.b') is null;
select st_astext(g, 'axis-order=long-lat') from t;
select st_aswkt(g, 1) from t;
select st_asbinary(g, 'axis-order=long-lat') from t;
select st_aswkb(g, 1) from t;
select distance(string_to_vector('[1]'), string_to_vector('[2]'), 'euclidean');
