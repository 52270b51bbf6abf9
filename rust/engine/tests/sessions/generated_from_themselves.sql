-- Generated columns that read themselves, or those behind them, find NULL there.
create table t (a int as (a + 1), b int);
insert into t (b) values (1);
select * from t;
create table u (y year generated always as (-y) stored, g double generated always as (abs(g)), e date);
insert into u (e) values ('2024-01-01');
select * from u;
select e from u where g is null;
