-- Only spatial reference systems that there are.
select st_srid(st_geomfromtext('POINT(1 2)', 4326)), st_srid(st_geomfromtext('POINT(1 2)', 3857)), st_srid(st_srid(point(1, 2), 2000)), st_srid(st_srid(point(1, 2), 32766));
select st_geomfromtext('POINT(1 2)', 1);
select st_srid(point(1, 2), 1999);
select st_srid(point(1, 2), 32767);
select st_srid(point(1, 2), 4294967296);
select st_geomfromwkb(st_aswkb(point(1, 2)), 4000);
