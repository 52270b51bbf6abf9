-- SHOW TABLE STATUS tells of each database that is listed, as clients ask, and how wide rows are.
show table status from information_schema like 'eng%';
show table status from information_schema like 'routines';
show table status from mysql like 'user';
create table t (a int primary key, e enum('a', 'bb'), s set('a', 'bb'), d decimal(10, 4), w decimal(65, 30), j json, m time, v varchar(10));
insert into t (a) values (1), (2);
show table status;
use information_schema;
show table status like 'views';
use @db@;
-- Text that is no number is warned of in an IN as beside an operator.
create table n (id int primary key, s varchar(10));
insert into n values (1, '1x'), (2, 'zz'), (3, '3'), (4, null);
select id from n where s in (1, 3);
show warnings;
select id from n where id in ('1x', 'zz');
show warnings;
select 1 in ('1x', '1y', 'zz');
show warnings;
-- An empty table has rows of no length.
create table empty_one (a int primary key, v varchar(10));
select table_name, table_rows, avg_row_length, data_length from information_schema.tables where table_schema = database() and table_name in ('t', 'empty_one') order by 1;
