-- Everything is committed by A on 2024-01-01.
-- The names that ANALYZE tells.
create table TaB (a int primary key);
analyze table tab;
analyze table tAB update histogram on a using data '{"row_count": 4}';
-- What it counts of the keys of their indexes, in buckets, for the branch in use. Only ANALYZE changes it.
create table xy (x bigint primary key, y int, z varchar(500), d date, key (y, z), unique key u (z(3)), key dd (d));
insert into xy values (0, 0, 'a', '2020-01-01'), (1, 0, 'ab', null), (2, 0, 'abb', '2020-01-02'), (3, 0, 'c"q', '2020-01-01'), (4, 1, 'ad', '2020-01-01'), (5, 2, 'e,', '2020-01-01'), (6, null, null, null);
create table kl (a int, b decimal(5,2), key (b));
insert into kl values (1, 2.5), (1, 2.5), (2, 3), (3, null);
create table Kinds (id int primary key, n tinyint, r float, w double, b binary(4), s datetime(6), h time(6), e enum('x','y'), key (n), key (r), key (w), key (b), key (s), key (h), key (e));
insert into Kinds values (1, -3, 1.5e20, 123456789012, 'ab', '2020-02-03 04:05:06.7', '-04:05:06.7', 'y');
select count(*) from dolt_statistics;
analyze table xy, kl, kinds;
select table_name, index_name, row_count, distinct_count, null_count, `columns`, types, upper_bound, upper_bound_cnt, created_at, mcv1, mcv2, mcv3, mcv4, mcv_counts from dolt_statistics;
select table_name, column_name, json_set(histogram, '$.statistic.qualifier', 'x') from information_schema.column_statistics where schema_name = '@db@' and table_name in ('kl', 'xy');
delete from xy where x > 3;
insert into Kinds values (0, null, null, null, null, null, null, null);
select table_name, index_name, row_count from dolt_statistics;
create table none (id int primary key);
analyze table none, kinds;
select table_name, index_name, row_count, null_count, upper_bound from dolt_statistics where table_name in ('none', 'kinds');
-- The most frequent keys of a bucket, and several buckets.
create table often (id int primary key, k int, key (k));
insert into often values (1, 1), (2, 1), (3, 1), (4, 2), (5, 2), (6, 2), (7, 3), (8, 3), (9, 3), (10, 4), (11, 4), (12, 4), (13, 5), (14, 6), (15, 7), (16, 8), (17, 9), (18, 10), (19, 11), (20, 12);
insert into often select id + 20, k + id % 7 from often;
insert into often select id + 40, k + id % 5 from often;
analyze table often;
select table_name, index_name, row_count, distinct_count, null_count, `columns`, types, upper_bound, upper_bound_cnt, created_at, mcv1, mcv2, mcv3, mcv4, mcv_counts from dolt_statistics where table_name = 'often';
create table wide (id int primary key, name varchar(500), k int, key (name, k));
insert into wide select x, concat(repeat('wide ', 60), x % 90), x from (with recursive numbers (x) as (select 1 union select x + 1 from numbers where x < 990) select * from numbers) n;
analyze table wide;
select row_count, distinct_count, upper_bound, mcv1, mcv_counts from dolt_statistics where table_name = 'wide';
-- Each branch has its own; a table that is gone has none.
call dolt_commit('-Am', 'tables');
call dolt_checkout('-b', 'other');
select count(*) from dolt_statistics;
analyze table kl;
select table_name, row_count from dolt_statistics;
select count(*) from dolt_statistics as of 'main' where table_name = 'often';
drop table kl;
select table_name, row_count from dolt_statistics;
call dolt_checkout('main');
select count(*) from dolt_statistics where table_name in ('kl', 'xy');
analyze table kl drop histogram on b;
select distinct table_name from dolt_statistics;
-- Of one's own rows, which stay counted when they are taken back.
start transaction;
insert into none values (1), (2);
analyze table none;
rollback;
select table_name, row_count from dolt_statistics where table_name = 'none';
