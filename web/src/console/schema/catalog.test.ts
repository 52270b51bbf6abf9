import { expect, test } from 'vitest';
import { SqlError } from '../../lib/index.ts';
import { eventually } from '../testing/eventually.ts';
import { FakeDatabase } from '../testing/fake_database.ts';
import { Catalog } from './catalog.ts';

const opened = { name: 'shop', databases: ['shop'] };

test('a catalog reads places, branches, tables, counts and columns', async () => {
  const database = new FakeDatabase();
  const catalog = new Catalog(database, opened);
  await catalog.refresh(database);
  expect(catalog.place.value).toEqual({ database: 'shop', branch: 'main' });
  expect(catalog.databases.value).toEqual(['shop']);
  const branches = catalog.branches('shop');
  await eventually(() => expect(branches.value?.kind).toBe('ready'));
  const tables = catalog.tables(catalog.place.value);
  await eventually(() => {
    const list = tables.value?.kind === 'ready' ? tables.value.value : [];
    const orders = list.find(({ name }) => name === 'orders');
    expect(orders?.rowCount.value).toBe(51_340);
    expect(orders?.columns.value?.kind).toBe('ready');
  });
  const list = tables.value?.kind === 'ready' ? tables.value.value : [];
  expect(list.at(-1)).toMatchObject({ name: 'best_customers', isView: true });
});

test('tables keep their counts and columns while they are read again', async () => {
  const database = new FakeDatabase();
  const catalog = new Catalog(database, opened);
  await catalog.refresh(database);
  const tables = catalog.tables(catalog.place.value);
  await eventually(() => expect(tables.value?.kind === 'ready' && tables.value.value[0]?.rowCount.value).toBe(4200));
  const before = tables.value?.kind === 'ready' ? tables.value.value[0] : undefined;
  await catalog.refresh(database);
  expect(tables.value?.kind === 'ready' ? tables.value.value[0] : undefined).toBe(before);
});

test('a schema that cannot be read leaves the names that opening gave', async () => {
  const database = new FakeDatabase();
  database.query = () => Promise.reject(new SqlError(1235, '42000', 'not supported yet'));
  const catalog = new Catalog(database, opened);
  await expect(catalog.refresh(database)).rejects.toThrow('not supported yet');
  expect(catalog.databases.value).toEqual(['shop']);
  expect(catalog.place.value.database).toBe('shop');
  const tables = catalog.tables(catalog.place.value);
  await eventually(() => expect(tables.value).toEqual({ kind: 'failed', message: 'not supported yet' }));
});
