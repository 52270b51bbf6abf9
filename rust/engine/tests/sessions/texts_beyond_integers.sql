-- UPDATE takes the nearest end for a number beyond the column, also where more text follows it; a number within it has to be all.
create table n (id int primary key, t tinyint, u tinyint unsigned, s smallint, b bigint, bu bigint unsigned);
insert into n values (1, 1, 1, 1, 1, 1);
update n set t = '300abc';
update n set u = '-7-1';
update n set s = '99999-01-01';
select * from n;
update n set t = '2024-01-02', u = '2024-01-02 10:00:00', s = '-40000x';
select * from n;
update n set t = '12abc';
update n set t = '127-';
update n set u = 'abc';
update n set s = '2024-01-02';
update n set b = '99999999999999999999x';
update n set bu = '-1x';
select * from n;
insert into n (id, t) values (2, '300abc');
