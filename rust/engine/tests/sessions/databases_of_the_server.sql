-- What a dump of all databases asks of those that a server has by itself.
show create database mysql;
show create database if not exists `information_schema`;
show create database nowhere;
show function status;
show procedure status where db = 'nowhere';
-- Only DROP TABLE tells of what was not there.
drop view if exists nowhere, nor_there;
show warnings;
create table t (a int);
drop view if exists t;
show warnings;
drop table if exists nowhere;
show warnings;
