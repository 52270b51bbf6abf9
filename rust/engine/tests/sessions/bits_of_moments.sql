-- Operators of bits read moments as numbers of their digits.
create table instants (m datetime, d date, t time, s varchar(20));
insert into instants values ('2024-12-31 23:59:59', '2024-01-01', '10:00:00', '2024-12-31 23:59:59');
select m << 1, d >> 1, m & 7, d | 1, t & 7, t ^ 1, s & 7, 5 << m, 5 >> d, 5 << t, 5 << s from instants;
select date('2022-11-19 11:53:45') & date('2022-11-11 11:53:45'), date('2022-11-19') | 0, date('2022-11-19') << 1, date(null) | 1, curdate() | 0 = curdate() + 0;
