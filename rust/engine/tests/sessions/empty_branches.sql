-- Branches and loops of a program have a statement at least; BEGIN … END may have none.
delimiter //
create procedure a() begin if 1 then end if; end//
create procedure a() begin if 1 then select 1; else end if; end//
create procedure a() begin if 1 then select 1; elseif 2 then end if; end//
create procedure a() begin case when 1 then end case; end//
create procedure a() begin case 1 when 1 then select 1; else end case; end//
create procedure a() begin while 0 do end while; end//
create procedure a() begin loop end loop; end//
create procedure a() begin repeat until 1 end repeat; end//
create table t (a int)//
create trigger tr before insert on t for each row begin if new.a then end if; end//
create procedure a() begin if 1 then begin end; else select 2; end if; while 0 do begin end; end while; end//
create procedure b() begin end//
delimiter ;
call a();
call b();
insert into t values (1);
