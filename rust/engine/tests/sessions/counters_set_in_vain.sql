-- ALTER TABLE … AUTO_INCREMENT below what is in the table changes nothing, whatever was set before.
create table t (id int primary key auto_increment, a int);
insert t values (10, 1);
alter table t auto_increment = 18;
alter table t auto_increment = 10;
show create table t;
select dolt_hashof_table('t');
alter table t auto_increment = 12;
alter table t auto_increment = 3;
insert t (a) values (5);
select * from t;
