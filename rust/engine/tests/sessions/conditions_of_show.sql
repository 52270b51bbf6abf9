-- Conditions of SHOW may ask the database.
create table shown (id int primary key, x int, key x (x));
create table hidden (id int primary key);
insert into shown values (1, 2);
show tables where tables_in_@db@ in (select 'shown');
show tables where tables_in_@db@ = (select 'hidden');
show columns from shown where field in (select 'x');
show columns from shown where `null` = 'YES';
show variables where variable_name in (select 'autocommit');
show collation where collation in (select 'utf8mb4_0900_bin');
