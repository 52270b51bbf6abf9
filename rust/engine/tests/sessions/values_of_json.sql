-- JSON_VALUE, whose third argument names a type.
select json_value('{"a":"12"}', '$.a', 'signed'), json_value('{"a":12.5}', '$.a', 'Signed'), json_value('{"a":-12.5}', '$.a', 'unsigned');
select json_value('{"a":12.5}', '$.a', 'decimal'), json_value('{"a":"12.7"}', '$.a', 'double'), json_value('{"a":12.5}', '$.a', 'float');
select json_value('{"a":"x"}', '$.a', 'char'), json_value('{"a":"x"}', '$.a', 'json'), json_type(json_value('{"a":[1]}', '$.a', 'json'));
select json_value('{"a":null}', '$.a', 'signed'), json_value('{"a":null}', '$.a', 'char'), json_value('{"a":true}', '$.a', 'signed'), json_value('{"a":1}', '$.b', 'char');
select json_value('{"a":1}'), json_value(null, '$.a', 'signed'), json_value('{"a":1}', '$.a', 'unsigned') + 1;
select json_value('{"a":"x"}', '$.a', 'signed');
select json_value('{"a":[1]}', '$.a', 'signed');
select json_value('{"a":1}', '$.a', 'nope');
