/** `table`: copies, other names and removals, and native Dolt's words for `import` and `export`. */
import { quoteName } from '../../client/versions.ts';
import type { Invocation } from './call.ts';
import { UsageError } from './output.ts';

export async function table({ database, args }: Invocation): Promise<number> {
  const [verb, ...rest] = args;
  const isForced = rest.includes('-f');
  const tables = rest.filter(word => word !== '-f');
  const [from, to] = tables.map(quoteName);
  if (verb === 'rm' && from !== undefined) {
    await database.query(`DROP TABLE ${tables.map(quoteName).join(', ')}`);
    return 0;
  }
  if (from === undefined || to === undefined || tables.length > 2 || (verb !== 'cp' && verb !== 'mv'))
    throw new UsageError('table takes cp FROM TO, mv FROM TO, rm TABLE…, import or export');
  // What TO was is not lost to a FROM that is not there.
  await database.query(`SELECT 1 FROM ${from} LIMIT 0`);
  if (isForced && from !== to) await database.query(`DROP TABLE IF EXISTS ${to}`);
  if (verb === 'mv') {
    await database.query(`RENAME TABLE ${from} TO ${to}`);
    return 0;
  }
  await database.query(`CREATE TABLE ${to} LIKE ${from}`);
  await database.query(`INSERT INTO ${to} SELECT * FROM ${from}`);
  return 0;
}

const EQUAL_WORDS: Readonly<Record<string, string>> = {
  '--create-table': '-c',
  '-u': '--replace',
  '--update-table': '--replace',
  '--file-type': '--format',
};
const LEFT_OUT = new Set(['-a', '--append-table']);
const UNKNOWN = new Set(['-r', '--replace-table', '-s', '--schema']);

/** The words of `table import` or `table export` as `import` and `export` take them. */
export function transferWords(words: readonly string[]): string[] {
  const unknown = words.find(word => UNKNOWN.has(word));
  if (unknown !== undefined)
    throw new UsageError(`table import knows no ${unknown}: -c makes the table, -u and -a change it`);
  return words.filter(word => !LEFT_OUT.has(word)).map(word => EQUAL_WORDS[word] ?? word);
}
