-- Outside of a block a trigger sets, changes rows or calls.
create table t (a int);
create table u (a int);
create trigger x1 before insert on t for each row select 1;
create trigger x2 before insert on t for each row select 1 into @a;
create trigger x3 before insert on t for each row if new.a = 1 then set @x = 1; end if;
create trigger x4 before insert on t for each row signal sqlstate '45000';
create trigger x5 before insert on t for each row truncate u;
create trigger x6 before insert on t for each row case new.a when 1 then set @x = 1; end case;
create trigger x7 before insert on t for each row while 1 do set @x = 1; end while;
create trigger x8 before insert on t for each row create table q (a int);
create trigger x9 before insert on t for each row prepare s from 'select 1';
create trigger b1 before insert on t for each row set new.a = new.a + 1;
create trigger b2 before insert on t for each row follows b1 set new.a = new.a * 10;
create trigger b3 after insert on t for each row begin if new.a > 0 then insert into u values (new.a); end if; end;
insert into t values (1), (-5);
select a from t order by a;
select a from u;
-- One that others follow stays.
drop trigger b1;
drop trigger if exists b1;
drop trigger b2;
drop trigger b1;
drop trigger b1;
insert into t values (7);
select a from t order by a;
-- Bodies do not leave the database, lock or load.
create procedure y1() use d;
create procedure y2() begin use d; end;
create procedure y3() begin lock tables t write; end;
create procedure y4() load data infile 'x' into table u;
create procedure y5() kill 5;
