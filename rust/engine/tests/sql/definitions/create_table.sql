create table t (id int primary key, c0 int, c1 int unsigned, c2 tinyint(1), c3 bool, c4 tinyint(4), c5 tinyint(1) unsigned);
create table t2 (a bigint(20) unsigned zerofill, b mediumint, c int(5) zerofill, d serial, e float(10,2), f float(30), g double(5,1) unsigned, h real, i double precision);
---
create table t (a decimal, b decimal(5), c numeric(10,2), d dec(65,30), e bit, f bit(8), g year, h date, i time, j time(6), k datetime, l datetime(6), m timestamp, n timestamp(3));
---
create table t (a char, b char(10), c varchar(20), d varchar(10) character set latin1, e varchar(20) collate utf8mb4_general_ci, f text, g tinytext, h mediumtext, i longtext, j text(100), k text(70000), l nchar(5), m nvarchar(7), n national varchar(3), o char(3) binary, p varchar(5) character set binary, q long varchar, r text character set binary);
create table b (a binary, b binary(10), c varbinary(20), d blob, e tinyblob, f mediumblob, g longblob);
create table e (a enum('x','y'), b set('a','b'), c enum('A ','b') collate utf8mb4_general_ci, d json, e vector(3), f vector);
create table g (a geometry, b point not null srid 4326, c linestring srid 0, d polygon, e multipoint, f multilinestring, g multipolygon, h geometrycollection);
---
create table t (a int default 5, b varchar(10) default 'x', c decimal(10,2) default 1.5, d bit(8) default b'101', e datetime(6) default now(6) on update now(6), f timestamp default current_timestamp, g int default (1+1), h json default (json_object()), i int default null, j varchar(20) default (concat('a','b')), k double default 1.5, l float default 3, m double default 1e30, n float default 0.1, o date default '2020-01-01', p datetime default '2020-01-01 10:00:00', q time default '10:00:00', r year default 2020, s enum('a','b') default 'b', t set('a','b') default 'a,b', u bool default true, v int default -7, w varchar(5) default 12, x int default '12', y char(5) default 'it''s', z varchar(9) default 'a\\b');
create table t2 (a varbinary(5) default 'ab', b binary(3) default 'a', c int default 1.6, d decimal(5,1) default '7', e bigint unsigned default 18446744073709551615, f double default -0.5, g varchar(40) default (uuid()), h int default (abs(-3)), i varchar(10) default 'é', j int default false, k double default '1.25', l datetime default now(), m timestamp(3) default current_timestamp(3), n int not null default 0, o text default ('abc'), p double default 123456789, q decimal(20,5) default -12.345, r datetime default '2020-1-1', s datetime default 20200101, t bit default 1, u bit(4) default 5, v varchar(10) default x'6162', w int default 0x10);
---
create table t (a int, b int, c int as (a+b), d int generated always as (a*2) stored, e varchar(20) as (concat(a,'x')) virtual, f int as (a) stored not null, primary key (a));
create table t2 (pk int primary key, v json, w varchar(10) as (v->>'$.a') stored, x int as (if(pk > 3, 1, 0)), y datetime as (date_add('2020-01-01', interval pk day)) stored, z int as (case when pk = 1 then 2 else 3 end) virtual);
---
create table t (a int primary key, b int check (b > 0), c int, constraint cc check (c < 10), check (b <> c), constraint n check (a is not null) not enforced, check (c between 1 and 5), check (c in (1,2,3)), check (b like 'x%'), check (not (b = 3)), check (b > 0 and c > 0 or a > 0));
---
create table t (a int, b varchar(20), c text, d int, primary key (d, a), key (b), unique key u (a, b), key pre (c(10)), index (b(5)), unique (d), key k2 (b desc, a asc) comment 'hello', key b (d));
create table t2 (a int unique, b int unique key, c int, unique index (c), index c_2 (c), index (c, b)) comment 'it''s' collate utf8mb4_general_ci auto_increment=5;
create table t3 (a varchar(10), b varchar(10) character set utf8mb4, c varchar(3) collate utf8mb4_0900_bin) default charset=utf8mb4 collate=utf8mb4_0900_ai_ci;
create table t4 (id int auto_increment primary key, v int) auto_increment=100;
create table t5 (id int auto_increment, v int, key (id)) engine=innodb;
create table kl (a int, b text);
create table T6 (`we ird` int, `a``b` int, KEY (`a``b`));
create table t7 (id int primary key comment 'the id', v varchar(10) not null comment 'v');
create table if not exists t7 (x int);
create table t7 (x int);
---
create table p (id int primary key, u int unique, x int, y int, key xy (x, y));
create table c (id int primary key, pid int, foreign key (pid) references p (id));
create table c2 (id int primary key, pid int, constraint fk1 foreign key (pid) references p (id) on delete cascade on update set null, constraint fk2 foreign key (id) references p (u) on delete restrict on update no action);
create table c3 (a int, b int, foreign key (a, b) references p (x, y), key (a));
create table c4 (a int references p (id), b int, key bb (b), foreign key (b) references p(id), foreign key idxn (a) references p(u));
create table self (id int primary key, boss int, foreign key (boss) references self (id));
create table c5 (a int, b int, key ab (a, b), foreign key (a) references p (id), foreign key (b) references p (id));
create table c6 (a int, foreign key (a) references nope (id));
create table c7 (a varchar(3), foreign key (a) references p (id));
create table c8 (a int, foreign key (a) references p (y));
create table c9 (a int, foreign key (zz) references p (id));
create table c10 (a int, foreign key (a) references p (zz));
create table c11 (a int not null, foreign key (a) references p (id) on delete set null);
create table c12 (a int, foreign key (a) references p (id) on delete set default);
create table c13 (a int, constraint fk1 foreign key (a) references p (id));
drop table p;
drop table c, c2;
---
set foreign_key_checks=0;
create table c (id int primary key, pid int, foreign key (pid) references p (id));
create table p (id int primary key);
drop table p;
---
create table x (a int, a int);
create table x (a int, primary key (b));
create table x (a int primary key, b int primary key);
create table x (a int, b int, primary key (a), primary key (b));
create table x (a text primary key);
create table x (a text, key (a));
create table xu (a text, unique key (a));
create table x (a json, key (a));
create table x (a int auto_increment);
create table x (a varchar(10) auto_increment primary key);
create table x (a int auto_increment primary key, b int auto_increment, key (b));
create table x (a int, key (nope));
create table x (a int, key (a, a));
create table x (a int, key k (a), key k (a));
create table x (a int null primary key);
create table x (a int default 'x');
create table x (a tinyint default 300);
create table x (a int not null default null);
create table x (a enum('a','b') default 'c');
create table x (a enum('a','a'));
create table x (a decimal(70));
create table x (a decimal(5,10));
create table x (a char(300));
create table x (a varchar(70000));
create table x (a varchar(16383));
create table x1 (a varchar(16000));
create table x2 (a bit(65));
create table x2 (a datetime(7));
create table x2 (a time(3));
create table x2 (a int as (nope + 1));
create table x2 (a int check (nope > 1));
create table x2 (a int default (b), b int);
create table x2 (a varchar(10) collate nope);
create table x2 (a int collate utf8mb4_bin);
create table x2 (a varchar(5) character set latin1 collate utf8mb4_bin);
create table dolt_x (a int);
create table `a ` (a int);
create table x2 (a int default now());
create table x2 (a datetime default now(3));
create table x2 (a date on update now());
create table x2 (a int, b int as (a) virtual primary key);
create table x2 (a int default 1 as (1));
create table x3 (a point primary key);
create table x2 (a point, spatial key (a));
create table x2 (a int not null, spatial key (a));
create table x2 (a int, key (a(5)));
create table x2 (a varchar(5), key (a(10)));
create table x3 (a varchar(5), primary key (a(3)));
create table x3 (a int, constraint c check (a > 0), constraint c check (a < 9));
create table aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa (a int);
create table x2 (aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa int);
drop table nope;
drop table if exists nope;
drop table dolt_log;
---
create table t (a int, b varchar(10));
drop table t;
create table t (b varchar(10), a int, c int);
---
create table t (a int primary key, b point not null srid 4326, spatial index (b));
create table v (a int primary key, b vector(3) not null, vector index (b), vector key vv (b));
