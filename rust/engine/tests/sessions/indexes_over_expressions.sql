-- Indexes over expressions: how schemas keep the expressions, and the columns behind them, which have no name in statements.
-- Errors have the same number and text.
create table t (id int primary key, name varchar(100), g int as (length(name)) stored, h int default (1 + id));
create index a on t ((lower(name)));
select dolt_hashof_db('WORKING');
create index b on t ((upper(name)));
select dolt_hashof_db('WORKING');
create unique index c on t ((reverse(name)));
select dolt_hashof_db('WORKING');
alter table t add unique index d (name);
insert into t (id, name) values (1, 'x'), (2, 'Y');
select dolt_hashof_db('WORKING');
select id from t where lower(name) = 'y';
alter table t rename column name to other;
alter table t rename column h to `!hidden!h`;
create table w (id int primary key, `!Hidden!a` int);
select `!hidden!a!0!0` from t;
create table u (id int primary key, n int, g int as (n + 1));
alter table u add index e ((n * 2));
select dolt_hashof_db('WORKING');
create unique index f on u ((n * 3));
select dolt_hashof_db('WORKING');
create table defaulted (id int primary key, n int default (id + 1));
create unique index i on defaulted ((n + id));
select dolt_hashof_db('WORKING');
