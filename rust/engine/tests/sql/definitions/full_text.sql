create table kk (id int primary key, a varchar(20), b text, fulltext key (a), fulltext key two (a, b));
insert into kk values (1, 'red apple', 'fox Apple'), (2, 'green', 'green green it''s foo-bar x');
insert into kk values (3, null, 'one''s ''two'' ab abc, red'), (4, '', null);
update kk set a = 'blue red' where id = 1;
delete from kk where id = 2;
---
create table kl (a varchar(20) collate utf8mb4_general_ci, fulltext (a));
insert into kl values ('Hello World'), ('Hello World'), ('hello there');
insert into kl values ('Hello World');
---
create table ku (a varchar(20), u int not null unique, d date, n bigint unsigned, x double, e enum('p','q'), dt datetime(6), dc decimal(8,2), fulltext (a));
insert into ku values ('one two one', 7, '2020-01-02', 5, 1.5, 'q', '2021-02-03 04:05:06.789', 12.5), ('three', 8, null, null, null, null, null, null);
---
create table t (id int primary key, a text, b varchar(30), c int);
insert into t values (1, 'quick brown fox', 'lazy dog', 5), (2, 'jumps over', null, 6);
alter table t add fulltext index ab (a, b);
create fulltext index bb on t (b);
alter table t drop index bb;
insert into t values (3, 'quick', 'quick', 7);
alter table t drop index ab;
---
create table t (a int, fulltext (a));
create table t (a varchar(10), b varchar(10) collate utf8mb4_general_ci, fulltext (a, b));
create table t (a varchar(10), fulltext (nope));
---
create table t (id int primary key, s varchar(100), fulltext key ft (s));
insert into t values (1, 'alpha beta'), (2, 'Gamma');
call dolt_commit('-Am', 'base');
call dolt_checkout('-b', 'other');
insert into t values (3, 'delta Alpha'), (0, 'ALPHA');
delete from t where id = 2;
call dolt_commit('-Am', 'theirs');
call dolt_checkout('main');
insert into t values (4, 'epsilon gamma');
call dolt_commit('-Am', 'ours');
call dolt_merge('other');
insert into t values (5, 'delta');
---
create table t (id int primary key, s varchar(100), fulltext key ft (s));
create table u (id int primary key);
insert into t values (1, 'alpha beta'), (2, 'gamma');
call dolt_commit('-Am', 'base');
call dolt_checkout('-b', 'other');
insert into t values (3, 'delta alpha');
call dolt_commit('-Am', 'theirs');
call dolt_checkout('main');
insert into u values (4);
call dolt_commit('-Am', 'ours');
call dolt_merge('other');
---
create table t (id int primary key, s varchar(100));
insert into t values (1, 'alpha beta'), (2, 'gamma');
call dolt_commit('-Am', 'base');
call dolt_checkout('-b', 'other');
alter table t add fulltext key ft (s);
call dolt_commit('-Am', 'theirs');
call dolt_checkout('main');
insert into t values (4, 'epsilon gamma');
call dolt_commit('-Am', 'ours');
call dolt_merge('other');
---
create table t (id int primary key, s varchar(100), fulltext key ft (s));
insert into t values (1, 'alpha beta'), (2, 'gamma');
call dolt_commit('-Am', 'base');
call dolt_checkout('-b', 'other');
alter table t drop key ft;
call dolt_commit('-Am', 'theirs');
call dolt_checkout('main');
insert into t values (4, 'epsilon gamma');
call dolt_commit('-Am', 'ours');
call dolt_merge('other');
---
create table t (id int primary key, s varchar(100), fulltext key ft (s));
insert into t values (1, 'alpha beta'), (2, 'gamma');
call dolt_commit('-Am', 'base');
call dolt_checkout('-b', 'other');
insert into t values (3, 'delta alpha');
call dolt_commit('-Am', 'theirs');
call dolt_checkout('main');
insert into t values (4, 'epsilon gamma');
call dolt_commit('-Am', 'ours');
call dolt_cherry_pick('other');
---
create table t (id int primary key, s varchar(100), fulltext key ft (s));
insert into t values (1, 'alpha beta'), (2, 'gamma');
call dolt_commit('-Am', 'base');
insert into t values (3, 'delta alpha');
call dolt_stash('push', 'mine');
insert into t values (4, 'epsilon gamma');
call dolt_commit('-Am', 'ours');
call dolt_stash('pop', 'mine');
---
create table t (id int primary key, s varchar(100), fulltext key ft (s));
create table u (id int primary key);
insert into t values (1, 'alpha beta'), (2, 'gamma');
call dolt_commit('-Am', 'base');
call dolt_checkout('-b', 'other');
create table v (id int primary key, s varchar(100), fulltext key ft (s));
insert into v values (3, 'delta alpha');
call dolt_commit('-Am', 'theirs');
call dolt_checkout('main');
insert into t values (4, 'epsilon gamma');
call dolt_commit('-Am', 'ours');
call dolt_merge('other');
insert into v values (5, 'delta');
