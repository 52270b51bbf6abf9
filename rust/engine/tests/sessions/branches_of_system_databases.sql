-- Databases that are computed have no branch, and ask for none.
select active_branch();
use information_schema;
select database(), active_branch();
use mysql;
select database(), active_branch();
use `@db@`;
select active_branch();
