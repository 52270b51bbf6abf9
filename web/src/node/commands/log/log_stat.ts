/** `varve log --stat`: changed row counts per table. */
import type { Database, Row } from '../../../client/index.ts';
import { paint } from '../../render/color.ts';

/** Signs of the longest bar. */
const BAR_MAX = 30;

interface TableStat {
  readonly table: string;
  readonly added: number;
  readonly modified: number;
  readonly deleted: number;
}

/** What a commit changed, table by table, as `dolt log --stat` prints it. */
export async function statText(database: Database, from: string, to: string, useColor: boolean): Promise<string> {
  const args = [from, to];
  const summary = (await database.query('SELECT * FROM dolt_diff_summary(?, ?)', args)).rows.filter(
    row => !/^(dolt_.*_fts_|__DATABASE__)/.test(nameOf(row)),
  );
  const stats = new Map<string, Row>();
  for (const row of summary) {
    if (row.diff_type === 'added' || row.diff_type === 'dropped' || !Number(row.data_change)) continue;
    const found = await database.query('SELECT * FROM dolt_diff_stat(?, ?, ?)', [...args, nameOf(row)]);
    if (found.rows[0] !== undefined) stats.set(nameOf(row), found.rows[0]);
  }
  const changed = summary
    .filter(({ diff_type }) => diff_type === 'modified' || diff_type === 'renamed')
    .map((row): TableStat => {
      const stat = stats.get(nameOf(row));
      const number = (column: string): number => Number(stat?.[column] ?? 0);
      const [added, modified, deleted] = [number('rows_added'), number('rows_modified'), number('rows_deleted')];
      return { table: nameOf(row), added, modified, deleted };
    })
    .sort((a, b) => (a.table < b.table ? -1 : 1));
  const named = (kind: string, what: string): string =>
    summary
      .filter(({ diff_type }) => diff_type === kind)
      .map(row => ` ${nameOf(row)} ${what}\n`)
      .join('');
  return changedText(changed, useColor) + named('added', 'added') + named('dropped', 'deleted');
}

function nameOf({ from_table_name, to_table_name }: Row): string {
  return String(to_table_name || from_table_name);
}

function changedText(changed: readonly TableStat[], useColor: boolean): string {
  if (changed.length === 0) return '';
  const countOf = ({ added, modified, deleted }: TableStat): number => added + modified + deleted;
  const most = Math.max(...changed.map(countOf));
  const [names, digits] = [Math.max(...changed.map(({ table }) => table.length)), String(most).length];
  const sum = (count: (stat: TableStat) => number): number => changed.reduce((total, stat) => total + count(stat), 0);
  const lines = changed.map(stat => {
    const bar =
      paint(signs('+', stat.added, most), 'brightGreen', useColor) +
      paint(signs('*', stat.modified, most), 'brightYellow', useColor) +
      paint(signs('-', stat.deleted, most), 'brightRed', useColor);
    return ` ${stat.table.padEnd(names)} | ${String(countOf(stat)).padEnd(digits)} ${bar}\n`;
  });
  const [added, modified, deleted] = [sum(stat => stat.added), sum(stat => stat.modified), sum(stat => stat.deleted)];
  return `${lines.join('')} ${changed.length} tables changed, ${added} rows added(+), ${modified} rows modified(*), ${deleted} rows deleted(-)\n`;
}

function signs(sign: string, count: number, most: number): string {
  return count === 0 ? '' : sign.repeat(Math.min(count, Math.trunc(BAR_MAX * (count / most))));
}
