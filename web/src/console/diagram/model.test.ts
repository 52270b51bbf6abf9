import { expect, test } from 'vitest';
import { diagramOf, maybeRenamed, type Schema, tellingColumns } from './model.ts';

const id = { name: 'id', type: 'int', isKey: true };
const name = { name: 'name', type: 'varchar(20)', isKey: false };
const bed = { name: 'bed_id', type: 'int', isKey: false };
const link = { table: 'plants', columns: ['bed_id'], toTable: 'beds', toColumns: ['id'] };

const BEFORE: Schema = {
  tables: [
    { name: 'beds', columns: [id, name] },
    { name: 'plants', columns: [id, bed] },
    { name: 'tools', columns: [id] },
  ],
  keys: [link],
};

test('what is the same has no marks', () => {
  const { tables, keys } = diagramOf(BEFORE, BEFORE);
  expect(tables.map(({ change }) => change)).toEqual([undefined, undefined, undefined]);
  expect(keys).toEqual([{ ...link, change: undefined }]);
  expect(tables[1]?.columns.map(({ isLink }) => isLink)).toEqual([false, true]);
});

test('tables, columns and foreign keys that came, went or are others say so', () => {
  const now: Schema = {
    tables: [
      { name: 'beds', columns: [id, { ...name, type: 'text' }] },
      { name: 'plants', columns: [id, name] },
      { name: 'seeds', columns: [id, bed] },
    ],
    keys: [{ ...link, table: 'seeds' }],
  };
  const { tables, keys } = diagramOf(now, BEFORE);
  const marks = tables.map(({ name, change, columns }) => [name, change, columns.map(one => one.change)]);
  expect(marks).toEqual([
    ['beds', 'modified', [undefined, 'modified']],
    ['plants', 'modified', [undefined, 'added', 'removed']],
    ['seeds', 'added', [undefined, undefined]],
    ['tools', 'removed', [undefined]],
  ]);
  expect(tables[0]?.columns[1]?.typeBefore).toBe('varchar(20)');
  expect(keys.map(({ table, change }) => [table, change])).toEqual([
    ['seeds', 'added'],
    ['plants', 'removed'],
  ]);
  expect(tables.slice(0, 2).map(table => tellingColumns(table).map(({ name }) => name))).toEqual([
    ['id', 'name'],
    ['id', 'name', 'bed_id'],
  ]);
});

test('a table that has another name is the same table, and so are the keys from it and to it', () => {
  const now: Schema = {
    tables: [
      { name: 'flowers', columns: [id, bed, name] },
      { name: 'plots', columns: [id, name] },
      { name: 'tools', columns: [id] },
    ],
    keys: [{ ...link, table: 'flowers', toTable: 'plots' }],
  };
  const tablesBefore = new Map([
    ['flowers', 'plants'],
    ['plots', 'beds'],
  ]);
  const renames = { tables: tablesBefore, columns: new Map() };
  const { tables, keys } = diagramOf(now, BEFORE, renames);
  expect(tables.map(({ name, change, nameBefore }) => [name, change, nameBefore])).toEqual([
    ['flowers', 'modified', 'plants'],
    ['plots', 'modified', 'beds'],
    ['tools', undefined, undefined],
  ]);
  expect(tables[0]?.columns.map(({ change }) => change)).toEqual([undefined, undefined, 'added']);
  expect(keys.map(({ change }) => change)).toEqual([undefined]);
});

test('a key into a table of another database is left out', () => {
  const now: Schema = { ...BEFORE, keys: [{ ...link, toTable: 'elsewhere' }] };
  expect(diagramOf(now, now).keys).toEqual([]);
});

test('a column that has another name is the same column, and so is a key over it', () => {
  const now: Schema = {
    tables: [
      { name: 'plots', columns: [{ ...id, name: 'plot_id' }, name] },
      { name: 'plants', columns: [id, { ...bed, name: 'plot_id', type: 'bigint' }, name] },
      { name: 'tools', columns: [id] },
    ],
    keys: [{ table: 'plants', columns: ['plot_id'], toTable: 'plots', toColumns: ['plot_id'] }],
  };
  const tablesBefore = new Map([['plots', 'beds']]);
  expect(maybeRenamed(now, BEFORE, tablesBefore)).toEqual(['plots', 'plants']);
  const columns = new Map([
    ['plots', new Map([['plot_id', 'id']])],
    ['plants', new Map([['plot_id', 'bed_id']])],
  ]);
  const { tables, keys } = diagramOf(now, BEFORE, { tables: tablesBefore, columns });
  const marks = tables.slice(0, 2).map(table => table.columns.map(one => [one.name, one.change, one.nameBefore]));
  expect(marks).toEqual([
    [
      ['plot_id', 'modified', 'id'],
      ['name', undefined, undefined],
    ],
    [
      ['id', undefined, undefined],
      ['plot_id', 'modified', 'bed_id'],
      ['name', 'added', undefined],
    ],
  ]);
  expect(tables[1]?.columns[1]?.typeBefore).toBe('int');
  expect(keys.map(({ change }) => change)).toEqual([undefined]);
});
