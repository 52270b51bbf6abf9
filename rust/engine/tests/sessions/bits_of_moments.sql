-- Operators of bits read moments as numbers of their digits.
create table instants (m datetime, d date, t time, s varchar(20));
insert into instants values ('2024-12-31 23:59:59', '2024-01-01', '10:00:00', '2024-12-31 23:59:59');
select m << 1, d >> 1, m & 7, d | 1, t & 7, t ^ 1, s & 7, 5 << m, 5 >> d, 5 << t, 5 << s from instants;
select date('2022-11-19 11:53:45') & date('2022-11-11 11:53:45'), date('2022-11-19') | 0, date('2022-11-19') << 1, date(null) | 1, curdate() | 0 = curdate() + 0;
-- TIMESTAMP of a text is a moment in a document.
select cast(timestamp('2024-01-02 03:04:05') as json), cast(timestamp('2024-01-02 03:04:05.250') as json), cast(timestamp('2024-01-02') as json);
select json_type(cast(timestamp('2024-01-02 03:04:05') as json)), cast(timestamp(null) as json);
select json_object('k', timestamp('2024-01-02 03:04:05')), json_array(timestamp('2024-01-02'), timestamp(concat('2024-', '01-02')));
select timestamp('2024-01-02 03:04:05') - interval 1 microsecond, cast('2024-01-31 10:20:30' as datetime) - interval 1 microsecond as k, max('-') from (select 1) x group by k order by k;
select json_unquote(timestamp('2024-01-02 03:04:05')), json_quote(timestamp('2024-01-02 03:04:05')), json_set('{}', '$.a', timestamp('2024-01-02 03:04:05'));
