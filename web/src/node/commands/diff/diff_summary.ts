/** `diff --summary`: which tables differ. */
import type { Row } from '../../../client/index.ts';
import { displayWidth } from '../../render/cell.ts';

export function summaryText(rows: readonly Row[]): string {
  if (rows.length === 0) return '';
  const heading = ['Table name', 'Diff type', 'Data change', 'Schema change'];
  const isTrue = (value: unknown): string => String(Boolean(Number(value)));
  const cells = rows.map(row => [
    row.diff_type === 'renamed' ? `${row.from_table_name} -> ${row.to_table_name}` : tableOf(row),
    String(row.diff_type),
    isTrue(row.data_change),
    isTrue(row.schema_change),
  ]);
  return frame(heading, cells);
}

/** Which table a row of `dolt_diff_summary` is of: as it is called later, or was before it went. */
export function tableOf(row: Row): string {
  return String(row.to_table_name || row.from_table_name);
}

function frame(heading: readonly string[], lines: readonly (readonly string[])[]): string {
  const widths = widthsOf([heading, ...lines]);
  return `${rule(widths)}${lineText(heading, widths)}${rule(widths)}${lines.map(line => lineText(line, widths)).join('')}${rule(widths)}`;
}

function widthsOf(lines: readonly (readonly string[])[]): number[] {
  return (lines[0] ?? []).map((_, index) => Math.max(...lines.map(line => displayWidth(line[index] ?? ''))));
}

function rule(widths: readonly number[]): string {
  return `+${widths.map(width => '-'.repeat(width + 2)).join('+')}+\n`;
}

function lineText(cells: readonly string[], widths: readonly number[]): string {
  const padded = cells.map((cell, index) => cell + ' '.repeat(Math.max(0, (widths[index] ?? 0) - displayWidth(cell))));
  return `| ${padded.join(' | ')} |\n`;
}
