-- A literal has no sign where its smallest type has none: 255, and not 100.
create table b (id int primary key, n bigint unsigned, i int);
insert into b values (1, 18446744073709551615, -1), (2, 9223372036854775808, 5), (3, 10, 255);
select n & 255, n & 100, n & 65535, n | 200, n ^ 255, n & i, i & 255, n & n from b;
select 18446744073709551615 & 255, 18446744073709551615 & 5, cast(-1 as unsigned) & 255, 255 & 18446744073709551615, n >> 1, n << 1 from b;
