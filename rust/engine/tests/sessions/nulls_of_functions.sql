-- A table that is made of a query: what a function gives may be NULL where its arguments may.
create table t (id int primary key, s varchar(10) not null, dt datetime not null, n int, j json, e enum('a', 'b') not null);
insert into t values (1, 'abc', '2024-01-02 03:04:05', null, null, 'b');
create table c as select concat(id, '') a, concat(n) b, left(s, 1) c, upper(s) d, hex(id) e, lpad(id, 2, '0') f, coalesce(n, 'x') g, ifnull(n, 'x') h, space(2) i, quote(s) j, length(s) k, length(n) l, round(id, 1) m, year(dt) o, month(dt) p, date_format(dt, '%Y') q, time_format(dt, '%H') r, s like 'a%' u, cast(id as signed) v, cast(id as char) w, cast(n as signed) x, json_object('a', id) y, greatest(id, 1) z, greatest(id, n) aa, last_insert_id() bb, id xor 1 cc from t;
show create table c;
-- Negation of the least number, moments in documents that are stored.
select -(-9223372036854775808), - -9223372036854775808, -(9223372036854775808), -9223372036854775808;
update t set j = json_object('at', dt, 'day', date(dt));
select json_unquote(json_extract(j, '$.at')), json_extract(j, '$.day') from t;
insert into t values (2, 'x', '2024-02-03 00:00:00', 5, json_array(cast('2024-01-02 03:04:05.120' as datetime(6))), 'a');
select json_extract(j, '$[0]') from t where id = 2;
-- Bytes with a collation are text.
create table a1 (v binary collate utf8mb4_unicode_ci, w blob collate utf8mb4_bin, x binary(5) collate utf8mb4_bin, y binary collate binary);
show create table a1;
create table a3 (v varbinary(5) collate utf8mb4_unicode_ci);
create table a5 (v binary character set utf8mb4);
