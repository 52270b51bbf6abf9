/** `schema`: the definitions of tables. */
import type { Database } from '../../client/index.ts';
import { quoteName } from '../../client/versions/versions.ts';
import { hashOf, type Invocation } from './call.ts';
import { UsageError } from './output.ts';
import { writeAll } from './transfer.ts';

/** `show [COMMIT] [TABLE…]` prints them for reading, `export [TABLE] [FILE]` as a script. */
export async function schema({ database, args, output }: Invocation): Promise<number> {
  const [verb, ...rest] = args;
  const unknown = rest.find(word => word.startsWith('-') && word !== '-' && !(verb === 'export' && word === '-f'));
  if (unknown !== undefined && verb !== 'import') throw new UsageError(`schema ${verb} knows no ${unknown}`);
  if (verb === 'tags' || verb === 'update-tag')
    throw new Error(`tags of columns are of use to native Dolt alone, which shows them: schema ${verb}`);
  if (verb === 'show') {
    const tables = rest.filter(word => !word.startsWith('-'));
    const known = await baseTables(database);
    const [first] = tables;
    const commit = first !== undefined && !known.includes(first) ? await commitOf(database, first) : undefined;
    if (commit !== undefined) tables.shift();
    const at = commit === undefined ? '' : ` AS OF '${commit}'`;
    const there = at === '' ? known : await baseTables(database, at);
    for (const table of tables.length === 0 ? there : tables) {
      const place = commit === undefined ? 'working' : first;
      if (!there.includes(table)) output.error(`${table} not found\n`);
      else await output.out(`${table} @ ${place}\n${await definitionOf(database, table, at)};\n\n`);
    }
    return 0;
  }
  if (verb === 'import')
    throw new Error('import -c makes a table for the rows of a file; without them native Dolt does: schema import');
  if (verb !== 'export') throw new UsageError('schema takes show or export');
  const isForced = rest.includes('-f');
  const [table, file = '-', ...more] = rest.filter(word => word !== '-f');
  if (more.length > 0) throw new UsageError(`what is ${more.join(' ')}?`);
  const tables = table === undefined ? await baseTables(database) : [table];
  const definitions = async function* () {
    for (const name of tables) yield `${await definitionOf(database, name, '')};\n`;
  };
  await writeAll(definitions(), file === '-' ? null : file, isForced, output);
  return 0;
}

async function commitOf(database: Database, word: string): Promise<string | undefined> {
  return hashOf(database, word).catch(() => undefined);
}

async function baseTables(database: Database, at = ''): Promise<string[]> {
  const { columns, batches } = await database.query(`SHOW FULL TABLES${at}`);
  if (columns.length === 0) return [];
  return batches.flatMap(batch => {
    const kinds = batch.column(1).values();
    const names = batch.column(0).values().map(String);
    return names.filter((_, index) => kinds[index] === 'BASE TABLE');
  });
}

async function definitionOf(database: Database, table: string, at: string): Promise<string> {
  const { rows } = await database.query(`SHOW CREATE TABLE ${quoteName(table)}${at}`);
  return String(rows[0]?.['Create Table']);
}
