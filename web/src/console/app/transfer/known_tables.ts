/** Tables of the selected branch that rows could go into. */
import { useEffect } from 'preact/hooks';
import type { TableNode } from '../../schema/catalog.ts';
import type { ColumnInfo } from '../../schema/model.ts';
import { currentConnection } from '../connection.ts';

export function knownTables(): readonly TableNode[] {
  const catalog = currentConnection()?.catalog;
  const loaded = catalog?.tables(catalog.place.value).value;
  return loaded?.kind === 'ready' ? loaded.value.filter(({ isView }) => !isView) : [];
}

/** The columns of a table; none before they were read. */
export function useColumnsOf(table: TableNode | undefined): readonly ColumnInfo[] {
  const loaded = table?.columns.value;
  useEffect(() => {
    const catalog = currentConnection()?.catalog;
    if (table !== undefined && loaded === undefined) void catalog?.readColumns(catalog.place.peek(), table);
  }, [table, loaded]);
  return loaded?.kind === 'ready' ? loaded.value : [];
}
