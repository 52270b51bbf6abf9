import { expect, test } from 'vitest';
import { fieldOf, type RowEdit, statementOf } from './row_edits.ts';

const key = [{ field: 'id', type: 'int', value: '7' }];
const update: RowEdit = {
  kind: 'update',
  row: 0,
  key,
  set: [
    { field: 'name', type: 'varchar(20)', value: "O'Hara" },
    { field: 'order', type: 'int', value: null },
  ],
  before: [],
};

test('a row is changed, made and deleted by its key', () => {
  expect(statementOf('t', update)).toBe("UPDATE t SET name = 'O''Hara', `order` = NULL WHERE id = 7");
  expect(statementOf('t', { ...update, kind: 'delete' })).toBe('DELETE FROM t WHERE id = 7');
  expect(statementOf('t', { ...update, kind: 'insert', key: [] })).toBe(
    "INSERT INTO t (name, `order`) VALUES ('O''Hara', NULL)",
  );
});

test('an error is at the cell that it names', () => {
  expect(fieldOf("string 'x' is too large for column 'name'", update)).toBe('name');
  expect(fieldOf("column name 'order' is non-nullable but attempted to set a value of null", update)).toBe('order');
  expect(fieldOf("error: 'O'Hara' is not a valid value for 'int'", update)).toBe('name');
  expect(fieldOf('something else', update)).toBeUndefined();
  const moved = { ...update, set: [{ field: 'id', type: 'int', value: '8' }, ...update.set] };
  expect(fieldOf('duplicate primary key given: [8]', moved)).toBe('id');
});
