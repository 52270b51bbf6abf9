-- dolt_test_run shows and compares values by the types of their columns.
create table v (b boolean, d date, m datetime, n decimal(5,2), i int);
insert into v values (true, '2025-08-22', '2025-08-22 09:00:00', 1.5, 1);
insert into dolt_tests values
  ('b1', 'v', 'select b from v', 'expected_single_value', '==', 'true'),
  ('b2', 'v', 'select b from v', 'expected_single_value', '==', 'false'),
  ('b3', 'v', 'select b from v', 'expected_single_value', '!=', '0'),
  ('d1', 'v', 'select d from v', 'expected_single_value', '<', '2025-08-23'),
  ('d2', 'v', 'select d from v', 'expected_single_value', '>', '2025-08-23'),
  ('m1', 'v', 'select m from v', 'expected_single_value', '>', '2025-08-22 09:00:01'),
  ('n1', 'v', 'select n from v', 'expected_single_value', '>', '2'),
  ('i1', 'v', 'select i from v', 'expected_single_value', '>', '2');
select test_name, status, message from dolt_test_run('v');
create table p (a int primary key);
alter table p modify column a point;
