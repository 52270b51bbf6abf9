-- A parameter of text takes what its type can hold.
create procedure p1 (a varchar(3)) select a;
create procedure p2 (a char(3)) select a;
create procedure p5 (inout a varchar(3)) set a = concat(a, 'x');
call p1('abc');
call p1('abcdef');
call p1(12345);
call p2('abcdef');
set @x = 'abc';
call p5(@x);
select @x;
call p5(@x);
select @x;
