-- Table functions that read columns of the rows around them.
-- Everything is committed by A on 2024-01-01.
create table t (id int primary key, before_it json, after_it json);
call dolt_commit('-Am', 'one');
set @one = hashof('HEAD');
insert into t values (1, '{"a": 1}', '{"a": 2}'), (2, '{"b": 3}', '{"c": 3}'), (3, '[0, 1]', '[0, 1]');
call dolt_commit('-am', 'two');
select l.message, m.message from dolt_log() l join lateral (select message from dolt_log(l.commit_hash)) m order by 1, 2;
select message from dolt_log() l where exists (select 1 from dolt_log(l.commit_hash, '--not', @one));
select (select count(*) from dolt_log(l.commit_hash)) as n from dolt_log() l order by n;
select id, d.* from t join lateral (select * from dolt_json_diff(before_it, after_it)) d order by id, path;
select id, (select count(*) from dolt_json_diff(before_it, '{"a": 1}')) as n from t order by id;
select * from dolt_json_diff((select before_it from t where id = 1), (select after_it from t where id = 2));
select * from dolt_json_diff(before_it, after_it);
select * from dolt_log(null);
select * from dolt_log('main', null);
