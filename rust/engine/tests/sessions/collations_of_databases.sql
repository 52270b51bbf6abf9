-- @@collation_database is that of the database in use, whatever is set.
select @@collation_database, @@character_set_database;
set collation_database = 'utf8mb4_general_ci';
select @@collation_database, @@session.collation_database;
create database latin character set latin1;
use latin;
select @@collation_database, @@character_set_database;
create database ci collate utf8mb4_0900_ai_ci;
use ci;
select @@collation_database, @@character_set_database;
