-- System tables that show a table's rows tell its defaults, comments, generated columns and kinds of indexes.
create table t (id int primary key auto_increment, a int not null default 4, b varchar(10) collate utf8mb4_0900_ai_ci default 'x' comment 'cc', c int as (a + 1) stored, g int as (a + 2), e enum('a', 'b') default 'b', ts timestamp default current_timestamp on update current_timestamp, x varchar(9) default (concat('a', 'b')), key ka (a), unique key kb (b(3)), fulltext key kf (b));
create table p (x int, y point srid 4326 not null, spatial key (y));
show create table dolt_history_t;
show create table dolt_diff_t;
show create table dolt_commit_diff_t;
show create table dolt_conflicts_t;
show create table dolt_constraint_violations_t;
show create table dolt_history_p;
show create table dolt_diff_p;
desc dolt_history_t;
desc dolt_diff_t;
show columns from dolt_history_t;
show index from dolt_history_t;
insert into t (a, b) values (1, 'q');
show create table dolt_workspace_t;
desc dolt_workspace_t;
