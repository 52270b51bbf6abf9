import type { Column } from '../../lib/index.ts';

/** A column with what a test does not care about filled in. */
export function column(parts: Partial<Column>): Column {
  return {
    name: 'c',
    type: 'varchar(20)',
    kind: 'text',
    nullable: true,
    unsigned: false,
    primaryKey: false,
    decimals: 0,
    database: '',
    table: '',
    originalName: '',
    ...parts,
  };
}
