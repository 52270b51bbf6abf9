/** The INSERT statement of an import. */
import { quoteName } from '../../versions/versions.ts';
import type { ImportRowsOptions } from '../transfer_types.ts';

/** The INSERT of so many rows of parameters. @param computed in small letters, columns that make their values themselves */
export function insertSql(
  { table, duplicates }: ImportRowsOptions,
  columns: readonly string[],
  rows: number,
  computed: ReadonlySet<string> = new Set(),
): string {
  const verb = duplicates === 'replace' ? 'REPLACE' : 'INSERT';
  const names = columns.map(quoteName).join(', ');
  const isComputed = (name: string): boolean => computed.has(name.toLowerCase());
  const values = `(${columns.map(name => (isComputed(name) ? 'DEFAULT' : '?')).join(', ')})`;
  const given = columns.filter(name => !isComputed(name)).map(quoteName);
  const sql = `${verb} INTO ${quoteName(table)} (${names}) VALUES ${new Array(rows).fill(values).join(', ')}`;
  if (duplicates === 'update')
    return `${sql} ON DUPLICATE KEY UPDATE ${given.map(name => `${name} = VALUES(${name})`).join(', ')}`;
  // INSERT IGNORE would cut values that do not fit their columns, too.
  return duplicates === 'ignore' ? `${sql} ON DUPLICATE KEY UPDATE ${given[0]} = ${given[0]}` : sql;
}
