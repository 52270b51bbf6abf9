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
    [undefined, 'importRows: options are an object, with table and format, got undefined'],
    [null, 'got null'],
    [{ format: 'csv' }, 'table is a string, got undefined'],
    [{ ...csv, format: 'xml' }, "format is 'csv', 'json', 'jsonl', got \"xml\""],
    [{ ...csv, columns: 'id' }, 'columns is an array of strings'],
    [{ ...csv, primaryKey: [1] }, 'primaryKey is an array of strings, got an array'],
    [{ ...csv, map: [] }, 'map is an object'],
    [{ ...csv, onError: true }, 'onError is a function, got true'],
    [{ ...csv, signal: {} }, 'signal is an AbortSignal'],
    [{ ...csv, commitRows: 1.5 }, 'commitRows is a whole number of at least 1, got 1.5'],
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
      ['SELECT 1 --?\n FROM t //?\n /*! LIMIT */ ?', [0.1], 1],
    ] as const) {
      await expect(query(sql, [...params])).rejects.toMatchObject(
        usage(`Parameter ${number}: LIMIT and OFFSET take whole`),
      );
    }
    expect((await query('SELECT ? + 1 FROM t LIMIT ?', [1.5, 1])).rowCount).toBe(1);
  },
);

withEngine('options of every public call are checked, and named with what they take', async () => {
  const database = await open({ memory: {}, create: true });
  await database.query('CREATE TABLE t (id INT PRIMARY KEY)');
  const statement = await database.prepare('SELECT 1');
  type Options = Readonly<Record<string, unknown>> | null | number;
  const calls: Readonly<Record<string, (options: never) => unknown>> = {
    log: options => all(database.log(options)),
    branches: options => database.branches(options),
    diff: options => all(database.diff('HEAD', 'WORKING', options)),
    commit: options => database.commit(options),
    merge: options => database.merge('main', options),
    abortMerge: options => database.abortMerge(options),
    conflicts: options => all(database.conflicts('t', options)),
    resolve: options => database.resolve('ours', [], options),
    resolveRows: options => database.resolveRows('t', [], options),
    transaction: options => database.transaction(async () => {}, options),
    live: options => database.live('SELECT 1', () => {}, options),
    verify: options => database.verify(options),
    query: options => database.query('SELECT 1', [], options),
    stream: options => all(database.stream('SELECT 1', [], options)),
    run: options => all(database.run('SELECT 1', options)),
    prepared: options => statement.query([], options),
    open: options => open({ empty: 'x' }, options),
  };
  const bad: readonly (readonly [string, Options, string])[] = [
    ['log', { limit: 1.5 }, 'log: limit is a whole number of at least 0, got 1.5'],
    ['log', { limit: '3' }, 'log: limit is'],
    ['log', { from: 5 }, 'log: from is a string'],
    ['log', { tables: 't' }, 'log: tables is an array of strings'],
    ['branches', { signal: {} }, 'branches: signal is an AbortSignal'],
    ['diff', { table: ['t'] }, 'diff: table is a string, got an array'],
    ['diff', { where: 1 }, 'diff: where is a string'],
    ['commit', {}, 'commit: message is a string, got undefined'],
    ['commit', { message: 5 }, 'commit: message is a string'],
    ['commit', { message: 'm', all: 'yes' }, 'commit: all is true, false, \'tracked\', got "yes"'],
    ['commit', { message: 'm', amend: 1 }, 'commit: amend is true or false'],
    ['commit', { message: 'm', author: {} }, 'commit: author is a string'],
    ['commit', { message: 'm', date: 0 }, 'commit: date is a string'],
    ['merge', { fastForward: true }, "merge: fastForward is 'no', 'only', got true"],
    ['merge', { squash: 'yes' }, 'merge: squash is true or false'],
    ['abortMerge', { timeoutMs: -1 }, 'abortMerge: timeoutMs is a number of at least 0, got -1'],
    ['conflicts', { timeoutMs: '5' }, 'conflicts: timeoutMs is'],
    ['resolve', { files: [] }, 'resolve: files is an object, got an array'],
    ['transaction', { retries: Number.NaN }, 'transaction: retries is a number of at least 0, got NaN'],
    ['transaction', { isolation: 'snapshot' }, "transaction: isolation is 'serializable'"],
    ['transaction', { readOnly: 'yes' }, 'transaction: readOnly is true or false'],
    ['live', { params: 5 }, 'live: params is an array'],
    ['live', { onError: {} }, 'live: onError is a function'],
    ['live', { whole: 0 }, 'live: whole is true or false'],
    ['verify', { database: 1 }, 'verify: database is a string'],
    ['verify', { onProgress: 1 }, 'verify: onProgress is a function'],
    ['stream', { bufferedPages: 'all' }, 'stream: bufferedPages is a number'],
    ['open', { mode: 'ram' }, "open: mode is 'mmap', 'pread', 'mmap-index'"],
    ['open', { durability: 'none' }, "open: durability is 'full', 'relaxed'"],
    ['open', { budgetBytes: -1 }, 'open: budgetBytes is a whole number of at least 1'],
    ['open', { networkTimeoutMs: '1s' }, 'open: networkTimeoutMs is'],
  ];
  const refused = async (name: string, options: Options, words: string) => {
    const call = calls[name];
    await expect((async () => call?.(options as never))(), name).rejects.toMatchObject(usage(words));
  };
  for (const [name, options, words] of bad) await refused(name, options, words);
  for (const name of Object.keys(calls)) {
    await refused(name, null, 'options are an object');
    await refused(name, 5, 'options are an object');
  }
  await database.close();
});

withEngine('names, revisions and resolutions that are none are named by their argument', async () => {
  const database = await open({ memory: {}, create: true });
  const bad: readonly (readonly [() => unknown, string])[] = [
    [() => database.at(undefined as never), 'at: ref is a string, got undefined'],
    [() => database.merge(null as never), 'merge: branch is a string'],
    [() => all(database.diff('HEAD', undefined as never)), 'diff: to is a string'],
    [() => all(database.conflicts(5 as never)), 'conflicts: table is a string'],
    [() => database.resolve('mine' as never), "resolve: take is 'ours', 'theirs', got \"mine\""],
    [() => database.resolve('ours', 't' as never), 'resolve: tables is an array of strings'],
    [() => database.resolveRows('t', {} as never), 'resolveRows: resolutions is an array'],
    [
      () => database.resolveRows('t', [{ id: 'a', take: 'ours' }, { take: 'ours' } as never]),
      'resolveRows: resolution 2: id is a string',
    ],
    [() => database.resolveRows('t', [{ id: 'a' } as never]), 'resolveRows: resolution 1: row is an object'],
    [() => database.live(5 as never, () => {}), 'live: sql is a string'],
    [() => database.split(null as never), 'split: script is a string'],
    [() => database.complete('SELECT', -1), 'complete: at is a whole number of at least 0'],
    [() => open({ directory: null } as never), 'open: directory is an object'],
    [() => open({ memory: undefined } as never), 'open: memory is an object'],
    [() => open({ files: 5 } as never), 'open: files is an iterable of Files, got 5'],
    [() => open({ files: [null] } as never), 'open: one of files is a File or { path, file }, got null'],
    [() => open({ files: [{ path: 'a', file: 'text' }] } as never), 'open: one of files is a File'],
    [() => open({ empty: 5 } as never), 'open: empty is a string'],
  ];
  for (const [call, words] of bad) await expect((async () => call())(), words).rejects.toMatchObject(usage(words));
  await database.close();
});
