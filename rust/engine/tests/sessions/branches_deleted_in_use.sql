-- The branch that a session stands on is deleted.
create table t (a int primary key, b int);
call dolt_add('.');
call dolt_branch('b3');
call dolt_checkout('b3');
use `@db@/main`;
call dolt_branch('-df', 'b3');
select active_branch();
select column_name from information_schema.columns where table_schema = '@db@' and table_name = 't' order by 1;
use @db@;
select active_branch();
select count(*) from t;
