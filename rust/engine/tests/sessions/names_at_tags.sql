-- A tag is found in the name of a database however it is spelled; a preview needs a branch, and merges no foreign keys.
-- Everything is committed by A on 2024-01-01.
create table p (id int primary key);
create table c (id int primary key, a int, key (a));
create table d (id int primary key, a int, key (a));
insert into dolt_ignore values ('d', true);
call dolt_add('-A', '--force');
call dolt_commit('-m', 'tables');
call dolt_tag('ABC');
call dolt_branch('b1');
insert into p values (1);
insert into d values (1, 1);
call dolt_add('-A', '--force');
alter table c add constraint fk1 foreign key (a) references p (id);
call dolt_commit('-am', 'ours');
call dolt_checkout('--no-overwrite-ignore', 'b1');
call dolt_checkout('-b', 'b2', '--no-overwrite-ignore', 'HEAD~1');
call dolt_checkout('-b', 'b3', '--overwrite-ignore', 'HEAD~1');
call dolt_checkout('b1');
alter table c add constraint fk1 foreign key (id) references p (id);
call dolt_commit('-am', 'theirs');
select * from dolt_preview_merge_conflicts_summary('main', 'b1');
call dolt_checkout('main');
create table child (id int primary key, a int, foreign key (a) references p (id));
call dolt_rm('p', '--cached');
use `@db@/abc`;
select * from p;
select * from dolt_preview_merge_conflicts_summary('main', 'b1');
select * from dolt_preview_merge_conflicts('main', 'b1', 'p');
-- A query is no revision.
select * from p as of (select 'HEAD');
show tables as of (select 'HEAD');
-- So is a branch, and what is written goes there.
use @db@;
call dolt_branch('CamelCase', 'main');
use `@db@/CAMELCASE`;
select active_branch();
insert into `@db@/camelcase`.p values (900);
select * from dolt_status;
select * from `@db@/MAIN`.p;
use `@db@/nOWHERE`;
select active_branch();
