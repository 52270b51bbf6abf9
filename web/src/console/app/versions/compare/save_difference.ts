/** What differs between two commits as a file: statements that make the one of the other, or the changed rows of a table. */

import type { Database } from '../../../../lib/index.ts';
import { quoteString } from '../../../sql/names.ts';
import { download } from '../../../transfer/download.ts';
import { byteCount } from '../../../ui/figures.ts';
import { messageOf } from '../../../ui/message_of.ts';
import { toast } from '../../../ui/toast.tsx';
import type { Range } from '../../../versions/RangeFields.tsx';
import { fileName } from '../../query/results/result_file.ts';

/** Of all tables, in the order in which they can be run. */
export function saveAsScript(database: Database, { from, to }: Range): Promise<void> {
  return save(`${from} to ${to}`, 'sql', 'application/sql', patchOf(database, from, to));
}

/** Rows before and after, with the columns of `dolt_diff`. */
export function saveAsRows(database: Database, { from, to }: Range, table: string): Promise<void> {
  const rows = `SELECT * FROM dolt_diff(${quoteString(from)}, ${quoteString(to)}, ${quoteString(table)})`;
  return save(`${table} ${from} to ${to}`, 'csv', 'text/csv', database.exportRows({ query: rows, format: 'csv' }));
}

async function* patchOf(database: Database, from: string, to: string): AsyncGenerator<string> {
  const sql = 'SELECT statement FROM dolt_patch(?, ?) ORDER BY statement_order';
  for await (const batch of database.stream(sql, [from, to])) {
    for (const { statement } of batch.rows()) yield `${statement}\n`;
  }
}

async function save(
  title: string,
  ending: string,
  type: string,
  pieces: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const name = `${fileName(title)}.${ending}`;
  try {
    const bytes = await download(name, type, pieces, () => {});
    toast(`Saved ${name}, ${byteCount(bytes)}`);
  } catch (error) {
    toast(messageOf(error), 'failure');
  }
}
