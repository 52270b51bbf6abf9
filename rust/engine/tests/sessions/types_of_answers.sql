-- Types and texts are the same.
create table t (id int primary key, a int, ti tinyint, si smallint, bi bigint, bu bigint unsigned, d decimal(10,2), f float, g double, da date, dt datetime, dt6 datetime(6), ts timestamp, s varchar(10));
insert into t values (1, 5, -128, -32768, 9, 8, 1.5, 1.1, 2.2, '2024-01-01', '2024-01-01 10:00:00', '2024-01-01 10:00:00.5', '2024-01-01 10:00:00', '3x');
select unix_timestamp(dt), unix_timestamp(dt6), unix_timestamp(da), unix_timestamp(ts), unix_timestamp('2024-01-01'), unix_timestamp(20240101), unix_timestamp(null) from t;
select unix_timestamp(dt) + 1, unix_timestamp(dt) / 60, unix_timestamp(dt) div 60, unix_timestamp(dt) - unix_timestamp(da), sum(unix_timestamp(dt)), max(unix_timestamp(dt)), floor(unix_timestamp(dt) / 3600) from t group by id;
select unix_timestamp(date_add(dt, interval 1 day)), unix_timestamp(date(dt)), unix_timestamp(cast(dt as date)), from_unixtime(unix_timestamp(dt)), unix_timestamp(coalesce(dt, da)) from t;
select -a, -ti, -si, -bi, -bu, -d, -f, -g, -s, - -f, -(-ti), -(a), -(a + 1), -true, -'1.5', -(1 = 1) from t;

-- Settings have the types that they are declared with.
select @@group_concat_max_len, @@max_allowed_packet, @@delayed_queue_size, @@join_complexity_limit, @@max_binlog_size, @@wait_timeout, @@autocommit, @@long_query_time;
set group_concat_max_len = 100;
select @@group_concat_max_len, @@session.group_concat_max_len + 1, @@global.group_concat_max_len;
