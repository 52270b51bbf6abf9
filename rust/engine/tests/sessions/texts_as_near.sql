-- Types and texts are the same.
-- Of two texts of a float that are as short and as near the one with the even digit is taken, wherever it is text.
create table f (id int primary key, f float, d double);
insert into f values (1, 3214321.25, 1234567890123456.25), (2, -3214321.75, -1234567890123456.75), (3, 2097152.375, 1125899906842624.25), (4, 0.1, 562949953421312.125), (5, 16777216, 9007199254740993);
select id, f, d, concat(f), concat(d), cast(f as char), json_array(d), format(d, 1), round(d, 1) from f order by id;
create table t (id int primary key, a varchar(30), b varchar(30), c decimal(30, 5));
insert into t select id, f, d, d from f;
select * from t order by id;
select 1234567890123456.25e0, concat(1234567890123456.25e0), cast(1234567890123456.25e0 as decimal(30, 5));
