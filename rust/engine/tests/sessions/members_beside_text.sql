-- ENUM and SET are ordered beside text by their collation.
create table m (id int primary key, e enum('Red', 'green', 'BLUE') collate utf8mb4_general_ci, s set('A', 'b') collate utf8mb4_general_ci, b enum('Red', 'green', 'BLUE'));
insert into m values (1, 'RED', 'a,B', 'Red'), (2, 'blue', 'b', 'BLUE'), (3, 2, 'a', 'green');
select id, e > 'a', e < 'A', e >= 'blue', e between 'a' and 'g', 'a' < e, s > 'a', s <= 'A' from m;
select id, b > 'a', b < 'A', b between 'a' and 'g', b > 'a' collate utf8mb4_general_ci from m;
select id from m where e > 'b' and e < 'h' order by id;
