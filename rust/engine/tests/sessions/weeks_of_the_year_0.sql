-- The year 0, whose days MySQL counts otherwise than the calendar does.
select week('0000-01-01'), week('0000-01-07'), week('0000-01-08'), week('0000-06-03'), week('0000-06-04'), week('0000-12-31');
select week('0000-01-02', 1), week('0000-01-08', 5), week('0000-01-09', 5), week('0000-01-02', 7), week('0000-01-01', 3);
select yearweek('0000-01-01'), yearweek('0000-12-31', 3), yearweek('0001-01-01'), weekofyear('0000-01-03');
select to_days('0000-01-01'), to_days('0000-03-01'), to_days('0000-12-31'), to_days('0001-01-01');
select extract(week from 0), extract(week from '0000-01-08'), extract(week from '0000-00-00');
