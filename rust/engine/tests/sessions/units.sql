-- Units of length.
select * from information_schema.st_units_of_measure order by unit_name;
select unit_type, count(*) from information_schema.st_units_of_measure group by unit_type;
