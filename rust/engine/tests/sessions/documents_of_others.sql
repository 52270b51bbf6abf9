-- JSON functions, given what is no JSON.
-- Errors have the same number and text.
select json_object(null, 1, 'a', null);
select json_objectagg(null, 1);
select json_type(1);
select json_length(1.5);
select json_extract(3, '$');
select json_contains('1', 2);
select json_merge(1, '{}');
select json_merge_patch('{}', 1);
select json_keys(cast('2024-01-01' as date));
select json_set('{}', '$.a', 1, '$.b');
select json_array_insert('[]', '$[0]', 1, '$[1]');
select json_search('{}', 'x', 'a');
select json_contains_path('{}', 'x', '$.a');
select json_search('{}', 'one', 'a', 'xx');
select json_quote(x'4142'), json_quote(cast('ab' as binary(3))), json_unquote(x'4142');
select json_quote(1);
