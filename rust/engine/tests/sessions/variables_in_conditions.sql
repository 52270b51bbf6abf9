-- A variable holds its value for the whole statement, so that a condition with one finds rows by an index, and commits by their hash.
-- Everything is committed by A on 2024-01-01.
create table t (id int primary key, a int, key (a));
insert into t values (1, 10), (2, 20), (3, 30);
call dolt_commit('-Am', 'three rows');
set @before = hashof('HEAD'), @id = 2, @text = '3';
update t set a = 25 where id = @id;
call dolt_commit('-am', 'another');
set @after = hashof('HEAD');
select to_id, to_a, from_a, diff_type from dolt_commit_diff_t where to_commit = @after and from_commit = @before;
select to_id from dolt_commit_diff_t where to_commit = @after;
select message from dolt_log where commit_hash = @before;
select * from t where id = @id;
select * from t where id > @id - 1 and a <= @id * 15;
select * from t where id in (@id, @text);
select * from t where id = @nothing;
select * from t x join t y on x.id = y.id and y.a = 10 * @id + 5;
select (select a from t where id = @id) as a, @id;
delete from t where id = @text;
select * from t order by id;
