import { expect, test } from 'vitest';
import { parametersOf } from '../parameters/find.ts';
import { TEMPLATES, type TemplateColumn, templateOf } from './templates.ts';

const columns: readonly TemplateColumn[] = [
  { name: 'id', type: 'int', key: 'primary', extra: 'auto_increment' },
  { name: 'full name', type: 'varchar(80)', key: 'none', extra: '' },
  { name: 'shown', type: 'varchar(90)', key: 'none', extra: '' },
  { name: 'born', type: 'date', key: 'index', extra: '' },
];
const generated = new Set(['shown']);

test('rows are written by their columns, without those that the table fills itself', () => {
  expect(templateOf('INSERT', 'people', columns, generated)).toBe(
    'INSERT INTO people (`full name`, born)\nVALUES (?, :born);\n',
  );
  expect(templateOf('UPDATE', 'people', columns, generated)).toBe(
    'UPDATE people\nSET `full name` = ?,\n    born = :born\nWHERE id = :id;\n',
  );
});

test('a row is named by its key, or by all of it', () => {
  expect(templateOf('DELETE', 'people', columns, generated)).toBe('DELETE FROM people\nWHERE id = :id;\n');
  expect(templateOf('DELETE', 'notes', columns.slice(3), generated)).toBe('DELETE FROM notes\nWHERE born = :born;\n');
});

test('every one is a statement, whose values are parameters', () => {
  for (const template of TEMPLATES) {
    const text = templateOf(template, '`a b`', columns, generated);
    expect(text).toContain('`a b`');
    expect(text).toMatch(/;\n$/);
  }
  expect(parametersOf(templateOf('UPDATE', 'people', columns, generated)).map(({ name }) => name)).toEqual([
    '1',
    'born',
    'id',
  ]);
});
