import { quoteName } from '../versions.ts';
import type { ImportRowsOptions } from './transfer_types.ts';

/** The INSERT of so many rows of parameters. @param computed in small letters, columns that make their values themselves */
export function insertSql(
  { table, duplicates }: ImportRowsOptions,
  columns: readonly string[],
  rows: number,
  computed: ReadonlySet<string> = new Set(),
): string {
  const verb = { error: 'INSERT', replace: 'REPLACE', ignore: 'INSERT IGNORE' }[duplicates ?? 'error'];
  const names = columns.map(quoteName).join(', ');
  const values = `(${columns.map(name => (computed.has(name.toLowerCase()) ? 'DEFAULT' : '?')).join(', ')})`;
  return `${verb} INTO ${quoteName(table)} (${names}) VALUES ${new Array(rows).fill(values).join(', ')}`;
}
