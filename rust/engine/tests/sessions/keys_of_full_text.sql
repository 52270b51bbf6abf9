-- The tables behind a full-text index, when the key of the table is another one.
create table ft (id int primary key, s varchar(50), k int not null, fulltext key f (s));
insert into ft values (1, 'one two', 5), (2, 'two three', 4);
alter table ft drop primary key, add primary key (k);
select dolt_hashof_table('ft'), dolt_hashof_table('dolt_ft_f_0_fts_position'), dolt_hashof_table('dolt_ft_f_0_fts_doc_count');
insert into ft values (7, 'two seven', 9);
select * from ft where match(s) against ('two') order by id;
select dolt_hashof_db();
alter table ft drop primary key, add column n int, add primary key (id, k);
select dolt_hashof_db();
alter table ft drop primary key, add fulltext key ff (s), add primary key (id);
select dolt_hashof_db();
alter table ft modify s varchar(60), drop primary key, add primary key (k);
select dolt_hashof_db();
