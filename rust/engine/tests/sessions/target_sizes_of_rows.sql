-- TARGET_ROW_SIZE is kept, and rows beyond it have their longest values beside them.
create table t (id int primary key, a longtext, b blob) target_row_size=10 comment 'small';
show create table t;
insert into t values (1, repeat('x', 30), 'abcdefghijklmnopqrstuvwxyz');
select dolt_hashof_db();
create table u (id int primary key, a longtext) target_row_size=4096;
insert into u values (1, repeat('x', 3000));
select dolt_hashof_db();
create table made_like like t;
show create table made_like;
alter table t rename column a to aa;
show create table t;
alter table u modify column id bigint;
show create table u;
select dolt_hashof_db();
create table w (id int) target_row_size=0;
show create table w;
create table x (id int) target_row_size=65536;
