/** Tables of the selected branch that rows could go into. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { TableNode } from '../../schema/catalog.ts';
import { placeName } from '../../schema/load.ts';
import type { ColumnInfo } from '../../schema/model.ts';
import { generatedColumnsOf } from '../../sql/generated_columns.ts';
import { quoteName } from '../../sql/names.ts';
import { currentConnection } from '../database/connection.ts';

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

const NONE: ReadonlySet<string> = new Set();

/** Those of a table's columns that it computes from others; none before they were read. */
export function useGeneratedOf(table: TableNode | undefined): ReadonlySet<string> {
  const generated = useSignal(NONE);
  const name = table?.name;
  useEffect(() => {
    generated.value = NONE;
    const connection = currentConnection();
    if (connection === undefined || name === undefined) return undefined;
    const control = new AbortController();
    const { signal } = control;
    const full = `${placeName(connection.catalog.place.peek())}.${quoteName(name)}`;
    void generatedColumnsOf(connection.database, full, { signal }).then(found => {
      if (!signal.aborted) generated.value = found;
    });
    return () => control.abort();
  }, [name]);
  return generated.value;
}
