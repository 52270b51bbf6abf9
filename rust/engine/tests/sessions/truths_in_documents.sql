-- What is true or false by its form is so in a document, a TINYINT(1) is a number there.
create table docs (id int primary key, b boolean, j json);
select cast(true as json), cast(1 = 1 as json), cast('true' as json), cast(1 is null as json), cast(5 as json);
select json_type(cast(not 1 as json)), json_type(cast(1 in (1) as json)), cast(exists (select 1) as json);
insert into docs values (1, true, true), (2, false, 1 = 2), (3, null, null), (4, true, 1);
insert into docs set id = 5, j = 'a' like 'a';
select id, b, j, json_type(j) from docs order by id;
update docs set j = (id > 1) where id in (1, 4);
update docs set j = b where id = 2;
select id, j, json_type(j) from docs order by id;
select id, cast(b as json) from docs order by id;
insert into docs select id + 10, b, b from docs;
select id, j from docs where id > 10 order by id;
-- A null of a document is one in a column of documents, and NULL in others.
select v is null, json_type(v), v from json_table('[null, {"a": null}, [null]]', '$[*]' columns (v json path '$')) jt;
select v is null, w is null from json_table('[null, 1]', '$[*]' columns (v int path '$', w varchar(5) path '$')) jt;
