/** `table`: copies, other names and removals, and native Dolt's words for `import` and `export`. */
import { quoteName } from '../../client/versions/versions.ts';
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

/** What is to become of the table, in the words of `import`; nothing said is that rows are added. */
const KINDS_OF_IMPORT = new Map<string, readonly string[]>([
  ...['-c', '--create-table'].map(word => [word, ['-c']] as const),
  ...['-u', '--update-table'].map(word => [word, ['--update']] as const),
  ...['-r', '--replace-table'].map(word => [word, ['--clear']] as const),
  ...['-a', '--append-table'].map(word => [word, []] as const),
]);
const UNKNOWN = new Set(['-s', '--schema']);

/**
 * The words of `table import` as `import` takes them.
 *
 * @throws UsageError when they do not say what is to become of the table, or say what `import` does not do.
 */
export function importWords(words: readonly string[]): string[] {
  if (words.filter(word => KINDS_OF_IMPORT.has(word)).length !== 1)
    throw new UsageError('table import takes exactly one of -c, -u, -r and -a');
  const unknown = words.find(word => UNKNOWN.has(word));
  if (unknown !== undefined)
    throw new UsageError(`table import knows no ${unknown}: make the table first, with CREATE TABLE`);
  return exportWords(words).flatMap(word => KINDS_OF_IMPORT.get(word) ?? [word]);
}

/** The words of `table export` as `export` takes them. */
export function exportWords(words: readonly string[]): string[] {
  return words.map(word => (word === '--file-type' ? '--format' : word));
}
