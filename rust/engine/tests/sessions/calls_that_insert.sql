-- CALL tells what its last statement tells: the rows that it changed and the AUTO_INCREMENT value.
create table t (id int primary key auto_increment, a int);
create table u (id int primary key, a int);
create procedure one() insert into t (a) values (1);
delimiter //
create procedure two() begin insert into t (a) values (1), (2); update u set a = 1; end//
create procedure other() begin insert into t (a) values (1); insert into u values (5, 5); end//
create procedure keyed() begin insert into u values (6, 5); end//
create procedure set_behind() begin insert into t (a) values (1); set @x = 1; end//
create procedure within() begin call one(); end//
create procedure given() begin insert into t (id, a) values (100, 1); end//
create procedure nothing() begin insert into t (a) values (9); delete from u where id = 77; end//
create procedure rows_behind() begin insert into t (a) values (9); select 1; end//
create procedure in_block() begin if 1 then insert into t (a) values (9); end if; end//
create procedure in_loop(n int) begin while n > 0 do insert into t (a) values (n); set n = n - 1; end while; end//
delimiter ;
call one();
call two();
call other();
call keyed();
call set_behind();
call within();
call given();
call nothing();
call rows_behind();
call in_block();
call in_loop(3);
select last_insert_id();
