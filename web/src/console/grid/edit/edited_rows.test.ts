import { expect, test } from 'vitest';
import { column } from '../../testing/columns.ts';
import { lazyBatch } from '../../testing/fake_batch.ts';
import { EditedRows } from './edited_rows.ts';

const columns = [column({ name: 'id', type: 'int', kind: 'int', primaryKey: true }), column({ name: 'note' })];

function rows(): EditedRows {
  const made = new EditedRows(columns);
  made.push(lazyBatch(columns, 3, (row, index) => (index === 0 ? row + 1 : `note ${row + 1}`)));
  made.rules.value = {
    refusal: () => undefined,
    problem: (_, text) => (text === 'wrong' ? 'No such value' : undefined),
    placeholder: index => (index === 0 ? 'auto' : 'NULL'),
    choices: () => [],
    isNullable: () => true,
  };
  return made;
}

const told = (edited: EditedRows) => edited.changes().map(({ kind, row, values }) => [kind, row, [...values]]);

test('edits lie over the rows, and what is typed back is no edit', () => {
  const edited = rows();
  edited.set(1, 1, 'other');
  expect(edited.text(1, 1)).toBe('other');
  expect(edited.view(1, 1)).toMatchObject({ text: 'other', state: 'edited' });
  expect(edited.locate(1, 1)?.values.value(0)).toBe('other');
  expect(told(edited)).toEqual([['update', 1, [[1, 'other']]]]);
  edited.set(1, 1, 'note 2');
  expect(edited.isDirty).toBe(false);
  edited.set(0, 1, 'wrong');
  expect(edited.wrongCell).toEqual({ row: 0, column: 1, problem: 'No such value' });
  expect(edited.view(0, 1)).toMatchObject({ state: 'wrong', problem: 'No such value' });
});

test('deleted rows come first, new rows last; a deleted row keeps its edits back', () => {
  const edited = rows();
  expect(edited.addRow()).toBe(3);
  edited.set(3, 1, 'new');
  edited.set(0, 1, 'a');
  edited.set(2, 1, 'b');
  edited.deleteRows(2, 3);
  expect(told(edited)).toEqual([
    ['delete', 2, []],
    ['update', 0, [[1, 'a']]],
    ['insert', 3, [[1, 'new']]],
  ]);
  expect(edited.view(3, 0)).toMatchObject({ text: 'auto', look: 'default' });
  expect(edited.refusal(2, 1)).toBe('This row will be deleted');
  edited.deleteRows(2, 3);
  expect(told(edited)[1]).toEqual(['update', 2, [[1, 'b']]]);
  edited.deleteRows(3, 4);
  expect(edited.rowCount).toBe(3);
  edited.discard();
  expect(edited.isDirty).toBe(false);
});

test('edits are taken back step by step, and come again', () => {
  const edited = rows();
  edited.set(0, 1, 'a');
  edited.step(() => {
    edited.set(1, 1, null);
    edited.set(2, 1, null);
    edited.addRow();
  });
  edited.deleteRows(0, 1);
  const all = told(edited);
  edited.discard();
  expect(edited.undo()).toBe(true);
  expect(told(edited)).toEqual(all);
  edited.undo();
  edited.undo();
  expect(told(edited)).toEqual([['update', 0, [[1, 'a']]]]);
  expect(edited.rowCount).toBe(3);
  // What changes nothing is no step, and a new one forgets what was taken back.
  edited.revert(1, 1);
  expect([edited.redo(), edited.redo()]).toEqual([true, true]);
  expect(told(edited)).toEqual(all);
  edited.undo();
  edited.set(0, 1, 'b');
  expect(edited.redo()).toBe(false);
  while (edited.undo());
  expect([edited.isDirty, edited.rowCount]).toEqual([false, 3]);
});

test('new rows that went come back where they stood, with what was typed into them', () => {
  const edited = rows();
  edited.step(() => {
    for (const note of ['a', 'b', 'c']) edited.set(edited.addRow(), 1, note);
  });
  edited.set(0, 1, 'other');
  const before = told(edited);
  edited.deleteRows(2, 5);
  expect(told(edited)).toEqual([
    ['delete', 2, []],
    ['update', 0, [[1, 'other']]],
    ['insert', 3, [[1, 'c']]],
  ]);
  expect(edited.undo()).toBe(true);
  expect(told(edited)).toEqual(before);
  edited.discard();
  expect(edited.isDirty).toBe(false);
  edited.undo();
  expect(told(edited)).toEqual(before);
  edited.undo();
  edited.undo();
  expect(edited.isDirty).toBe(false);
  edited.redo();
  edited.redo();
  expect(told(edited)).toEqual(before);
});
