-- JSON_TYPE names a moment that is cast to a document; TIMESTAMP of a text is a moment in a column of documents.
create table t (id int primary key, dt datetime, d6 datetime(6), d date);
insert into t values (1, '2024-01-02 03:04:05', '2024-01-02 03:04:05.5', '2024-01-02'), (2, null, null, null);
select json_type(cast(dt as json)), json_type(cast(d6 as json)), json_type(cast(d as json)) from t;
select json_type(cast(cast('2024-01-01' as date) as json)), json_type(cast(cast('2024-01-01 01:02:03' as datetime) as json));
select json_type(cast(timestamp('2024-01-01 01:02:03') as json)), json_type(cast(1 as json)), cast(d as json), json_type('"x"') from t;
create table j (id int primary key auto_increment, j json);
insert into j (j) values (timestamp('2024-01-02 03:04:05'));
insert into j (j) values (true), (1 = 1), ('"x"'), (1);
update j set j = timestamp('2024-01-02 03:04:06') where id = 2;
select * from j;
