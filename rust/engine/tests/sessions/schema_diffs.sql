-- Members are shown by their names in diffs of schemas, by their numbers in SHOW CREATE TABLE.
create table jobs (id int primary key, state enum('low','normal','high') default 'normal', marks set('a','b','it''s') default 'a,it''s');
show create table jobs;
select * from dolt_schema_diff('HEAD', 'WORKING');
select statement from dolt_patch('HEAD', 'WORKING');
call dolt_add('-A');
alter table jobs modify column state enum('low','normal','high') default 'high', add column more enum('x','y') not null default 'y';
select * from dolt_schema_diff('STAGED', 'WORKING');
select statement from dolt_patch('STAGED', 'WORKING') order by statement_order;
show create table jobs;
