-- What information_schema says of its own columns.
select table_name, column_name, column_default, is_nullable, column_type, column_key, extra from information_schema.columns where table_schema = 'information_schema' order by table_name, ordinal_position;
describe information_schema.innodb_trx;
show columns from information_schema.collations;
show create table information_schema.innodb_metrics;
show create table information_schema.routines;
create table z (d datetime default '0000-00-00 00:00:00', e date default '0000-00-00');
select column_name, column_default from information_schema.columns where table_name = 'z';
