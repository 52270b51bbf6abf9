-- CAST AS CHAR(n) takes the first n characters, of everything but a text that is written down.
create table t (v varchar(20), d decimal(20, 2), i int, j json, x varbinary(20), m datetime, f double);
insert into t values ('abcdef', 12345.67, 123456, '[1, 2, 3]', 'abcdef', '2024-01-02 03:04:05', 1234567.5);
select cast(v as char(3)), cast('abcdef' as char(3)), convert(v, char(2)), cast(upper(v) as char(2)), cast(v as nchar(2)) from t;
select cast(d as char(3)), cast(i as char(3)), cast(j as char(3)), cast(x as char(3)), cast(m as char(4)), cast(f as char(3)) from t;
select cast(v as char(0)), cast(i as char(0)), cast(v as char(10)), length(cast(v as char(10))), cast(null as char(2)) from t;
select cast(x'616263' as char(2)), cast(12 as char(1)), cast(true as char(1)), _binary 'abc', _binary 'A' = 'a';
