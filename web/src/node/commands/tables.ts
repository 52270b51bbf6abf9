import type { Database } from '../../client/index.ts';
import type { Output } from './output.ts';

/** Prints the tables of the current database with their numbers of rows, which the trees know without counting. */
export async function printTables(database: Database, output: Output): Promise<void> {
  const { columns, batches } = await database.query('SHOW TABLES');
  if (columns.length === 0) return;
  const names = batches.flatMap(batch => batch.column(0).values().map(String));
  const counts = await Promise.all(names.map(name => countRows(database, name)));
  const width = Math.max(0, ...names.map(name => name.length));
  for (const [index, name] of names.entries()) await output.out(`${name.padEnd(width)}  ${counts[index]}\n`);
}

async function countRows(database: Database, table: string): Promise<string> {
  const { batches } = await database.query(`SELECT COUNT(*) FROM \`${table.replaceAll('`', '``')}\``);
  const count = batches[0]?.column(0).text(0);
  return `${count} ${count === '1' ? 'row' : 'rows'}`;
}
