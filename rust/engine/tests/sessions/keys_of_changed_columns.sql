-- ALTER TABLE … MODIFY and CHANGE … PRIMARY KEY, and comments of indexes.
-- Errors have the same number and text.
create table t (id int not null, e int);
insert into t values (1, 2), (2, 3);
alter table t modify e int primary key;
show create table t;
select * from t order by e;
alter table t modify e bigint primary key;
show create table t;
alter table t drop primary key, change e f int primary key;
show create table t;
create table u (id int, e int);
insert into u values (1, 1), (1, 2);
alter table u modify id int primary key;
show create table u;
update u set id = null where e = 2;
alter table u modify id int primary key;
show create table u;
create table k (a int, key k (a) comment 'of a');
show index from k;
select comment, index_comment from information_schema.statistics where table_schema = database() and table_name = 'k';
-- Prefixes that are too long for the new type.
create table cut (i blob, index (i(3072)));
alter table cut modify column i text;
alter table cut modify column i tinytext;
alter table cut modify column i varchar(3000);
create table cut_bytes (id int primary key, i varbinary(3000), index (i(1000)));
alter table cut_bytes modify column i varchar(2000);
alter table cut_bytes modify column i text;
show create table cut_bytes;
create table cut_characters (id int primary key, i text character set latin1, index (i(1000)));
alter table cut_characters modify column i text;
alter table cut_characters modify column i mediumtext character set latin1;
show create table cut_characters;
-- JSON is in no key.
create table to_json (a int primary key, b int, key (b));
alter table to_json modify a json;
alter table to_json modify b json;
