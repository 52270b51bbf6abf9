/** A row before its table, or some of its columns, got the names that they have. */
import type { Queries } from '../../../../lib/index.ts';
import { loadChangedTables } from '../../../sql/changed_tables.ts';
import { loadColumnsAt } from '../../../sql/columns_at.ts';
import { quoteName, quoteString } from '../../../sql/names.ts';
import { conditionOf, type KeyValue } from '../results/links.ts';
import { renames } from './column_renames.ts';
import { type ChangedCell, type Version, versionOf } from './row_versions.ts';

interface RowName {
  readonly table: string;
  readonly key: readonly KeyValue[];
}

/** What a row was called, and how it differs. */
export interface FormerRow extends RowName {
  /** Undefined where the table is called as before. */
  readonly tableBefore: string | undefined;
  /** Of renamed columns, and those whose values differ. */
  readonly cells: readonly ChangedCell[];
}

/** @returns undefined where a commit gave nothing of the row another name, or its parent does not have it */
export async function formerRow(
  queries: Queries,
  { table, key }: RowName,
  hash: string,
  parent: string,
  signal: AbortSignal,
): Promise<FormerRow | undefined> {
  const changed = (await loadChangedTables(queries, parent, hash, { signal })).find(one => one.table === table);
  if (changed === undefined || changed.kind === 'added' || !(changed.hasSchema || changed.kind === 'renamed')) return;
  const { tableBefore } = changed;
  const [is, was] = await Promise.all([
    loadColumnsAt(queries, table, hash, { signal }),
    loadColumnsAt(queries, tableBefore ?? table, parent, { signal }),
  ]);
  const nameBefore = renames(is, was);
  if (tableBefore === undefined && is.every(({ name }) => nameBefore.get(name) === name || !nameBefore.has(name)))
    return;
  const keyBefore = key.map(part => ({ ...part, column: nameBefore.get(part.column) ?? part.column }));
  const [after, before] = await Promise.all([
    rowAt(queries, { table, key }, hash, signal),
    rowAt(queries, { table: tableBefore ?? table, key: keyBefore }, parent, signal),
  ]);
  if (after === undefined || before === undefined) return;
  const cells = is.flatMap(({ name }, index): ChangedCell[] => {
    const called = nameBefore.get(name);
    const at = was.findIndex(column => column.name === called);
    const [old, now] = [before.cells[at], after.cells[index]];
    if (called === name && old?.whole === now?.whole) return [];
    if (called === undefined && now?.whole === null) return [];
    return [
      {
        name: called === undefined || called === name ? name : `${called} → ${name}`,
        before: old?.shown,
        after: now?.shown,
      },
    ];
  });
  return { table: tableBefore ?? table, key: keyBefore, tableBefore, cells };
}

async function rowAt(
  queries: Queries,
  { table, key }: RowName,
  revision: string,
  signal: AbortSignal,
): Promise<Version | undefined> {
  const sql = `SELECT * FROM ${quoteName(table)} AS OF ${quoteString(revision)} WHERE ${conditionOf(key)}`;
  const { batches, columns } = await queries.query(sql, [], { signal });
  const batch = batches.find(({ rowCount }) => rowCount > 0);
  return (
    batch &&
    versionOf(
      columns.map((_, index) => batch.column(index)),
      0,
    )
  );
}
