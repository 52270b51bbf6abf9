-- What mysqldump writes.
/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!50503 SET NAMES utf8mb4 */;
/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;
create table t (a int primary key, b int);
insert into t values (1, 2);
/*!50001 DROP VIEW IF EXISTS `v`*/;
/*!50001 CREATE VIEW `v` AS SELECT 
 1 AS `a`,
 1 AS `b`*/;
/*!50001 DROP VIEW IF EXISTS `v`*/;
/*!50001 CREATE ALGORITHM=UNDEFINED */
/*!50013 DEFINER=`root`@`localhost` SQL SECURITY DEFINER */
/*!50001 VIEW `v` AS select `t`.`a` AS `a`,`t`.`b` AS `b` from `t` */;
select * from v;
show create view v;
create /*!50001 ALGORITHM=MERGE */ view w as select 1 as a /*!40000 , 2 as b */ /* two */;
create or replace /*!50001 view u as select a from t*/ -- the last
;
select * from w;
select * from u;
select name, fragment from dolt_schemas order by name;
select table_name, view_definition from information_schema.views where table_schema = '@db@' order by table_name;
/*!40101 SET SQL_MODE=@OLD_SQL_MODE */;
select @@sql_mode;
