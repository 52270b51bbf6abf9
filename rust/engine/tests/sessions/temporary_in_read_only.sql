-- Temporary tables can be changed in READ ONLY transactions; the seconds of a TIME have its fraction.
create temporary table tmp (a int primary key);
create table t (a int primary key);
start transaction read only;
insert into tmp values (1);
update tmp set a = 2;
insert into t values (1);
select * from tmp;
commit;
select * from tmp;
create table tt (tm time);
insert into tt values ('12:34:56.123456');
select substring(cast(unix_timestamp(tm) as char(128)), -6) from tt;
