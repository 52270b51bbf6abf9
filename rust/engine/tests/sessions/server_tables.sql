-- Where SHOW tells upper case from lower case.
create table tt (id int primary key, Nm varchar(10));
show status where variable_name = 'SSL_CIPHER';
show status like 'SSL_CIPHER%';
show variables where variable_name = 'SQL_MODE';
show variables like 'SQL_mo%';
show collation where collation = 'UTF8MB4_BIN';
show charset where charset = 'UTF8MB4';
show tables like 'TT';
show tables like 't_';
show full tables like 'TT';
show columns from tt like 'nm';
show columns from tt like 'N%';
show table status like 'TT';
show table status like 't%';
-- The accounts, and what nobody replicates.
show tables from mysql;
select * from mysql.user where user = 'root';
select user, host, super_priv, select_priv + 0, max_connections, password_lifetime from mysql.user where user = 'root';
select * from mysql.db;
select * from mysql.tables_priv;
select * from mysql.procs_priv;
select * from mysql.role_edges;
