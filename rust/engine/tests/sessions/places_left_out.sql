-- Of a table of one leaf the rows come in the order of the index that native Dolt reads where conditions leave out places of it.
create table goods (id int primary key, kind varchar(8), price decimal(8,2), owner int not null, note text,
    key by_kind (kind, price), key by_owner (owner));
insert into goods values (1, 'nut', 7.5, 9, 'a'), (2, null, 3, 8, 'b'), (3, 'Bolt', 300, 7, 'c'), (4, 'bolt', 2.25, 9, null),
    (5, 'cog', null, 5, 'e'), (6, 'gear', 1.5, 4, 'f'), (7, '', 0, 3, 'g'), (8, null, 1.5, 9, 'h');
select group_concat(id) from goods where kind <> 'nut';
select group_concat(id) from goods where kind not in ('cog', 'BOLT', '', 'bolt');
select group_concat(id) from goods where kind is not null;
select group_concat(id), min(note) from goods where price not in (0, 300, 1.5);
select group_concat(id), min(note) from goods where price <> 500;
select group_concat(id) from goods where not (owner > 5);
select group_concat(id) from goods where not (kind is null) and not owner in (3, 4);
select id, not (price < 2), not (kind = 'nut'), not (price in (3, null)), not (kind is null), not (price <=> null) from goods order by id;
select group_concat(id), min(note) from goods where price is not null;
select group_concat(id) from goods where not kind = 'cog' and owner <> 9;
select group_concat(id) from goods where owner <> 9 and id <> 3;
select group_concat(id) from goods where owner not in (3, 9, 3) and note is not null;
select group_concat(id) from goods where owner not in (3, null);
select id, note from goods where owner <> 5 limit 2;
select id, note from goods where owner <> 5 order by id desc limit 2;
update goods set note = 'x' where owner <> 9;
delete from goods where kind is not null and price <> 2;
select * from goods order by id;
