import { quoteName } from '../versions.ts';
import type { ImportRowsOptions } from './transfer_types.ts';

/** The INSERT of so many rows of parameters. @param computed in small letters, columns that make their values themselves */
export function insertSql(
  { table, duplicates }: ImportRowsOptions,
  columns: readonly string[],
  rows: number,
  computed: ReadonlySet<string> = new Set(),
): string {
  const verb = duplicates === 'replace' ? 'REPLACE' : duplicates === 'ignore' ? 'INSERT IGNORE' : 'INSERT';
  const names = columns.map(quoteName).join(', ');
  const isComputed = (name: string): boolean => computed.has(name.toLowerCase());
  const values = `(${columns.map(name => (isComputed(name) ? 'DEFAULT' : '?')).join(', ')})`;
  const given = columns.filter(name => !isComputed(name)).map(quoteName);
  const update = ` ON DUPLICATE KEY UPDATE ${given.map(name => `${name} = VALUES(${name})`).join(', ')}`;
  const sql = `${verb} INTO ${quoteName(table)} (${names}) VALUES ${new Array(rows).fill(values).join(', ')}`;
  return duplicates === 'update' ? sql + update : sql;
}
