/** What the command line and the package write where others read it: spreadsheets, directories, other processes. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { scratchDirectory, withEngine } from '../testing/built_engine.ts';
import { JsonServer } from './commands/serve_json.ts';
import { open } from './index.ts';

const scratch = scratchDirectory();

withEngine('CSV guards texts that spreadsheets run as formulas when it is asked to, and no numbers', async () => {
  const database = await open({ memory: {}, create: true });
  await database.query('CREATE TABLE t (id INT PRIMARY KEY, `=c` VARCHAR(20), d DECIMAL(5,2))');
  const texts = ['=1+1', '+1', '-5', '-2+3', '@SUM(A1)', '\tx', '\rx', 'a=b', '-', '-1.5e3', ''];
  for (const [id, text] of texts.entries()) await database.query('INSERT INTO t VALUES (?, ?, -1)', [-id, text]);
  const csv = async (guardFormulas?: boolean): Promise<string> => {
    let text = '';
    const query = 'SELECT `=c`, d, id FROM t ORDER BY id DESC';
    for await (const piece of database.exportRows({ query, format: 'csv', guardFormulas })) text += piece;
    return text;
  };
  const lines = (cells: readonly string[]) => cells.map((cell, id) => `${cell},-1.00,${id === 0 ? 0 : -id}\n`).join('');
  expect(await csv()).toBe(
    `=c,d,id\n${lines(['=1+1', '+1', '-5', '-2+3', '@SUM(A1)', '\tx', '"\rx"', 'a=b', '-', '-1.5e3', '""'])}`,
  );
  expect(await csv(true)).toBe(
    `'=c,d,id\n${lines(["'=1+1", '+1', '-5', "'-2+3", "'@SUM(A1)", "'\tx", `"'\rx"`, 'a=b', "'-", '-1.5e3', '""'])}`,
  );
  await database.close();
});

withEngine('copyTo replaces nothing, and says what is in its way', async () => {
  const database = await open({ memory: {}, create: true });
  const [file, taken] = [join(scratch, 'file'), join(scratch, 'taken')];
  writeFileSync(file, 'x');
  mkdirSync(join(taken, '.dolt'), { recursive: true });
  await expect(database.copyTo({ path: file })).rejects.toMatchObject({
    code: 'usage',
    message: `${file} is a file: copyTo writes into a directory, so name another one or move the file away`,
  });
  await expect(database.copyTo({ path: taken })).rejects.toMatchObject({
    code: 'usage',
    message: `${taken} has a .dolt already. copyTo does not overwrite: copy to another directory, or move that one first`,
  });
  await database.close();
});

withEngine('serve-json leaves the files of a database as they are, whatever is executed', async () => {
  const path = join(scratch, 'served');
  const database = await open({ path, create: true });
  await database.query('CREATE TABLE t (id INT PRIMARY KEY)');
  await database.close();
  const filesOf = () =>
    readdirSync(path, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name))
      .sort()
      .map(file => [file, readFileSync(file).toString('base64')]);
  const before = filesOf();
  const server = new JsonServer(open);
  const ask = async (request: object) => JSON.parse(await server.answer(JSON.stringify(request)));
  expect(await ask({ id: 1, op: 'open', db: path })).toEqual({ id: 1 });
  expect(await ask({ id: 2, op: 'query', sql: 'SELECT DATABASE()' })).toMatchObject({ rows: [['served']] });
  expect(await ask({ id: 3, op: 'exec', sql: 'INSERT INTO t VALUES (1)' })).toMatchObject({ affected: 1 });
  await ask({ id: 4, op: 'exec', sql: "CALL dolt_commit('-Am', 'change')" });
  expect(await ask({ id: 5, op: 'query', sql: 'SELECT id FROM t' })).toMatchObject({ rows: [['1']] });
  await ask({ id: 6, op: 'close' });
  expect(filesOf()).toEqual(before);
});
