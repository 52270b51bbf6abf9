/** Bad arguments of public calls are errors `usage` that name what is wrong, and never a TypeError. */
import { expect } from 'vitest';
import { withEngine } from '../testing/built_engine.ts';
import { type Database, open, planRows, VarveError } from './index.ts';

const usage = (words: string | RegExp) => ({
  code: 'usage',
  message: words instanceof RegExp ? expect.stringMatching(words) : expect.stringContaining(words),
});

async function all(pieces: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of pieces);
}

withEngine('what is no text to import is refused with what is taken; bytes of any kind are', async () => {
  const database = await open({ memory: {}, create: true });
  const csv = { table: 't', format: 'csv', create: true } as const;
  for (const input of [null, undefined, 5, true, {}, () => {}, Symbol('s'), new Date()] as never[]) {
    for (const work of [database.importRows(input, csv), database.importSql(input), planRows(input, csv)]) {
      await expect(work).rejects.toMatchObject(usage('a Blob or File, or an iterable'));
    }
  }
  for (const piece of [null, 5, {}, [1]] as never[]) {
    await expect(database.importRows([piece] as never, csv)).rejects.toMatchObject(usage('a piece of the text is'));
    await expect(database.importSql([piece] as never)).rejects.toMatchObject(usage('a piece of the text is'));
  }
  const bytes = new TextEncoder().encode('id\n1\n');
  const inputs = [bytes.buffer, new DataView(bytes.buffer), [bytes.buffer], ['id\n', '1\n']] as never[];
  for (const [at, input] of inputs.entries()) {
    expect(await database.importRows(input, { ...csv, table: `t${at}` })).toMatchObject({ rows: 1 });
  }
});

withEngine('options that are none are named, with what they take', async () => {
  const database = await open({ memory: {}, create: true });
  await database.query('CREATE TABLE t (id INT PRIMARY KEY)');
  const csv = { table: 't', format: 'csv' };
  const bad: readonly (readonly [Record<string, unknown> | null | undefined, string])[] = [
    [undefined, 'importRows: options are an object, with table and format, and this is undefined'],
    [null, 'this is null'],
    [{ format: 'csv' }, 'table is a string, and this is undefined'],
    [{ ...csv, format: 'xml' }, "format is 'csv', 'json', 'jsonl', and this is \"xml\""],
    [{ ...csv, columns: 'id' }, 'columns is an array of strings'],
    [{ ...csv, primaryKey: [1] }, 'primaryKey is an array of strings, and this is an array'],
    [{ ...csv, map: [] }, 'map is an object'],
    [{ ...csv, onError: true }, 'onError is a function, and this is true'],
    [{ ...csv, signal: {} }, 'signal is an AbortSignal'],
    [{ ...csv, commitRows: 1.5 }, 'commitRows is a whole number of at least 1, and this is 1.5'],
    [{ ...csv, duplicates: 'skip' }, "duplicates is 'error'"],
  ];
  for (const [options, message] of bad) {
    await expect(database.importRows('id\n1\n', options as never)).rejects.toMatchObject(usage(message));
  }
  await expect(database.importSql('SELECT 1', { encoding: 5 } as never)).rejects.toMatchObject(
    usage('encoding is a string'),
  );
  for (const options of [undefined, null, {}, { format: 5 }, { format: 'csv', table: {} }] as never[]) {
    await expect((async () => all(database.exportRows(options)))()).rejects.toMatchObject(usage('exportRows'));
  }
  await expect((async () => all(database.dump({ tables: 't' } as never)))()).rejects.toMatchObject(
    usage('tables is an array'),
  );
  for (const target of [undefined, null, 'there', {}, { path: 5 }, { opfs: '' }, { directory: null }] as never[]) {
    await expect(database.copyTo(target)).rejects.toMatchObject(usage('copyTo: the target is'));
  }
});

withEngine('a source that is none says what its member takes; bytes of an archive may be an ArrayBuffer', async () => {
  for (const archive of [null, undefined, 5, 'a.zip', {}, new Date()] as never[]) {
    await expect(open({ archive })).rejects.toMatchObject(usage('archive is a File, a Blob or bytes'));
  }
  for (const path of [null, 5, '', {}] as never[])
    await expect(open({ path })).rejects.toMatchObject(usage('path of what'));
  await expect(open({ memory: {}, create: true }, { signal: 5 } as never)).rejects.toMatchObject(
    usage('open: signal is'),
  );
  const source = await open({ memory: {}, create: true });
  await source.query('CREATE TABLE t (id INT PRIMARY KEY)');
  const parts: Uint8Array[] = [];
  for await (const piece of source.zip()) parts.push(piece);
  const archive = await new Blob(parts as BlobPart[]).arrayBuffer();
  const copy: Database = await open({ archive } as never);
  expect((await copy.query('SHOW TABLES')).rowCount).toBe(1);
});

withEngine(
  'a parameter that cannot be bound is told by its number, an array in a list with what to write',
  async () => {
    const database = await open({ memory: {}, create: true });
    await database.query('CREATE TABLE t (id INT PRIMARY KEY, j JSON)');
    const query = async (sql: string, params: unknown[]) => database.query(sql, params as never);
    await expect(query('SELECT ?, ?', [1, Number.NaN])).rejects.toMatchObject(
      usage('Parameter 2: NaN is not a SQL number'),
    );
    await expect(query('SELECT ?', [() => {}])).rejects.toMatchObject(usage('Parameter 1: a function cannot be bound'));
    await expect(
      query("SELECT 'in (?', id FROM t WHERE j = ? AND id IN ( ? ) -- in (?)", [1, [1, 2]]),
    ).rejects.toMatchObject(usage('Parameter 2: an array cannot be bound in IN (?): write IN (?, ?)'));
    const prepared = await database.prepare('SELECT * FROM t WHERE id NOT IN (?)');
    await expect(prepared.query([[1]] as never)).rejects.toBeInstanceOf(VarveError);
    // A document is one, in a list of documents as well.
    await query('INSERT INTO t VALUES (?, ?)', [1, [1, 2]]);
    expect((await query('SELECT j FROM t WHERE id IN (?, ?)', [1, 2])).rowCount).toBe(1);
    for (const [sql, params, number] of [
      ['SELECT * FROM t LIMIT ?', [1.5], 1],
      ['SELECT ? FROM t LIMIT ?, ?', [2.5, 1, 0.5], 3],
      ["SELECT 'limit ?' FROM t LIMIT 1 OFFSET ?", [0.1], 1],
    ] as const) {
      await expect(query(sql, [...params])).rejects.toMatchObject(
        usage(`Parameter ${number}: LIMIT and OFFSET take whole`),
      );
    }
    expect((await query('SELECT ? + 1 FROM t LIMIT ?', [1.5, 1])).rowCount).toBe(1);
  },
);
