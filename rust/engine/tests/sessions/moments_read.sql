-- STR_TO_DATE has whole seconds where people see it; EXTRACT(WEEK) counts as no mode of WEEK does by default.
select str_to_date('2024-03-05 10:20:30', '%Y-%m-%d %H:%i:%s'), str_to_date('10:20', '%H:%i'), str_to_date('2024-03-05', '%Y-%m-%d');
select str_to_date('2024-03-05 5', '%Y-%m-%d %k'), str_to_date('5/3/2024 5:06 PM', '%e/%c/%Y %l:%i %p');
select concat(str_to_date('2024-03-05 10:20:30', '%Y-%m-%d %H:%i:%s'), ''), microsecond(str_to_date('2024-03-05 10:20:30.123456', '%Y-%m-%d %H:%i:%s.%f'));
create table s (a datetime(6), b varchar(40));
insert into s values (str_to_date('2024-03-05 10:20:30.123456', '%Y-%m-%d %H:%i:%s.%f'), str_to_date('2024-03-05 10:20:30', '%Y-%m-%d %H:%i:%s'));
select * from s;
select extract(week from '2024-12-31'), extract(week from '2024-01-05'), extract(week from '2023-01-01'), extract(week from '2021-01-03');
select extract(week from '2022-01-01'), week('2024-12-31'), week('2024-12-31', 4);
select - cast('2024-02-29' as date);
create table e (e enum('a', 'b'), s set('p', 'q'));
insert into e values ('b', 'p,q');
select crc32(e), crc32(s) from e;
