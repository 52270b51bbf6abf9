-- Columns of different collations in a set operation: all their values stay apart.
create table t (a varchar(20) collate utf8mb4_general_ci, b varchar(20) collate utf8mb4_bin, c varchar(20) character set latin1, d varchar(20));
insert into t values ('abc', 'ABC', 'Abc', 'aBC'), ('x', 'x', 'x', 'x');
select a from t union select b from t;
select b from t union select a from t;
select a from t union select d from t;
select a from t union select c from t;
select a from t union select a from t;
select a from t intersect select b from t;
select a from t except select b from t;
select q, count(*) from (select a q from t union all select b from t) z group by q order by q;
create table u as select a from t union select b from t;
show create table u;
