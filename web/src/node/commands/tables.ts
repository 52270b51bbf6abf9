/** `tables` and `ls`: which tables there are, and how many rows they have, which the trees know without counting. */
import type { Database } from '../../client/index.ts';
import { quoteName } from '../../client/versions/versions.ts';
import { hashOf, type Invocation } from './call.ts';
import { type Output, UsageError } from './output.ts';

/** Prints the tables of the current database with their numbers of rows. */
export async function printTables(database: Database, output: Output): Promise<void> {
  const names = await tableNames(database);
  const width = Math.max(0, ...names.map(name => name.length));
  for (const name of names) {
    const count = await countRows(database, quoteName(name));
    await output.out(`${name.padEnd(width)}  ${count} ${count === '1' ? 'row' : 'rows'}\n`);
  }
}

/** Lists tables in native Dolt's form: those of the working set, or of a commit; with `-s` the system's, with `-a` both. */
export async function ls({ database, args, output }: Invocation): Promise<number> {
  const flags = args.filter(word => word.startsWith('-')).flatMap(withLettersApart);
  const has = (...names: readonly string[]) => flags.some(flag => names.includes(flag));
  const unknown = flags.find(flag => !/^(-[vas]|--verbose|--all|--system)$/.test(flag));
  if (unknown !== undefined) throw new UsageError(`ls knows no ${unknown}`);
  const [commit, ...more] = args.filter(word => !word.startsWith('-'));
  if (more.length > 0) throw new UsageError('ls takes one COMMIT');
  const hash = commit === undefined ? undefined : await hashOf(database, commit);
  const at = hash === undefined ? '' : ` AS OF '${hash}'`;
  if (!has('-s', '--system')) {
    await output.out(`Tables in ${hash ?? 'working set'}:\n`);
    for (const name of await tableNames(database, at)) {
      const count = has('-v', '--verbose')
        ? await countRows(database, quoteName(name) + at).catch((error: unknown) => {
            // A view of today may read what is not there at a commit.
            if (hash === undefined) throw error;
            return undefined;
          })
        : undefined;
      await output.out(count === undefined ? `\t ${name}\n` : `\t${name.padEnd(24)} ${count} rows\n`);
    }
  }
  if (has('-s', '--system', '-a', '--all')) {
    await output.out('System tables:\n');
    // They are those of the working set: a commit has none of its own to be listed.
    for (const name of hash === undefined ? await systemTableNames(database) : []) await output.out(`\t ${name}\n`);
  }
  return 0;
}

/** `-av` is `-a -v`. */
function withLettersApart(flag: string): string[] {
  return flag.startsWith('--') ? [flag] : [...flag.slice(1)].map(letter => `-${letter}`);
}

export async function tableNames(database: Database, at = ''): Promise<string[]> {
  const { columns, batches } = await database.query(`SHOW TABLES${at}`);
  return columns.length === 0 ? [] : batches.flatMap(batch => batch.column(0).values().map(String));
}

async function systemTableNames(database: Database): Promise<string[]> {
  await database.query('SET dolt_show_system_tables = 1');
  const names = await tableNames(database);
  return names.filter(name => name.startsWith('dolt_'));
}

async function countRows(database: Database, table: string): Promise<string> {
  const { batches } = await database.query(`SELECT COUNT(*) FROM ${table}`);
  return String(batches[0]?.column(0).text(0));
}
