-- What is listed of Dolt's own: tables by `@@dolt_show_system_tables`, procedures by their names.
show create procedure dolt_checkout;
show create procedure DOLT_Commit;
show create procedure dolt_nothing;
create table Test (a int primary key);
create table words (a int primary key, b text, fulltext (b));
set @@dolt_show_system_tables = 1;
show tables;
show full tables like 'dolt_d%';
insert into dolt_ignore values ('x', 1);
show tables like 'dolt_i%';
show tables as of 'HEAD';
set @@dolt_show_system_tables = 0;
show tables;
