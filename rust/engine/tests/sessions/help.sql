-- The texts are ours; the names, kinds and columns are those of native Dolt.
select name, type from dolt_help order by name;
describe dolt_help;
select json_type(arguments), length(short_description) > 0 from dolt_help where name = 'dolt_merge';
insert into dolt_help values ('a', 'procedure', 'b', 'c', 'd', null);
