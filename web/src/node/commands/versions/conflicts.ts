/** `conflicts`: what a merge could not decide, as rows that stand one below the other; `constraints`: rows that violate them. */
import type { Database, ResultStream } from '../../../client/index.ts';
import { quoteName } from '../../../client/versions/versions.ts';
import { cellText, displayWidth } from '../../render/cell.ts';
import { call, type Invocation } from '../call.ts';
import { type Output, printResult, UsageError } from '../output.ts';

const SIDES = ['base', 'our', 'their'] as const;
type Side = (typeof SIDES)[number];

const NAMES: Readonly<Record<Side, string>> = { base: 'base', our: 'ours', their: 'theirs' };
const MARKS: Readonly<Record<string, string>> = { added: ' + ', removed: ' - ', modified: ' * ' };

export async function conflicts({ database, args, output }: Invocation): Promise<number> {
  const [verb, ...rest] = args;
  if (verb === 'resolve') {
    await call(database, 'dolt_conflicts_resolve', rest);
    return 0;
  }
  if (verb !== 'cat' || rest.length === 0) throw new UsageError('conflicts takes cat or resolve, and TABLEs');
  const tables = rest.includes('.') ? await tablesInConflict(database) : rest;
  for (const table of tables) await printConflictsOfSchemas(database, table, output);
  for (const table of tables) await printConflicts(database, table, output);
  return 0;
}

/** Looks for violations in what was changed since the last commit, or with `--all` in everything. */
export async function constraints({ database, args, output }: Invocation): Promise<number> {
  const [verb, ...rest] = args;
  if (verb !== 'verify') throw new UsageError('constraints takes verify, and TABLEs');
  const told = await call(database, 'dolt_verify_constraints', rest);
  if (!Number(told.violations)) return 0;
  output.error('All constraints are not satisfied.\n');
  const { rows } = await database.query('SELECT `table` AS name FROM dolt_constraint_violations');
  for (const { name } of rows) {
    const table = `dolt_constraint_violations_${name}`;
    const from = `FROM ${quoteName(table)}`;
    const columns = (await database.stream(`SELECT * ${from} LIMIT 0`).columns)
      .filter(column => column.name !== 'from_root_ish')
      .map(column => quoteName(column.name));
    await output.out(`\n${table}\n`);
    await printResult(database.stream(`SELECT ${columns.join(', ')} ${from}`), 'table', output);
  }
  return 1;
}

async function tablesInConflict(database: Database): Promise<string[]> {
  const { rows } = await database.query('SELECT `table` AS name FROM dolt_conflicts ORDER BY name');
  return rows.map(row => String(row.name));
}

const OF_SCHEMAS =
  'SELECT our_schema, their_schema, base_schema, description FROM dolt_schema_conflicts WHERE table_name = ?';

/** Two definitions of which a merge could not make one. */
async function printConflictsOfSchemas(database: Database, table: string, output: Output): Promise<void> {
  const { rowCount } = await database.query(OF_SCHEMAS, [table]);
  if (rowCount > 0) await printResult(database.stream(OF_SCHEMAS, [table]), 'table', output);
}

/** Nothing for a table without conflicts. */
async function printConflicts(database: Database, table: string, output: Output): Promise<void> {
  const stream = database.stream(`SELECT * FROM ${quoteName(`dolt_conflicts_${table}`)}`);
  const columns = (await stream.columns).map(({ name }) => name);
  const names = [...new Set(SIDES.flatMap(side => namesOf(columns, side)))];
  const lines = await linesOf(stream, columns, names);
  if (lines.length === 0) return;
  const head = ['   ', '', ...names];
  const widths = head.map((_, at) => Math.max(...[head, ...lines].flatMap(cells => widthOf(cells[at] ?? ''))));
  const rule = `+${widths.map(width => '-'.repeat(width + 2)).join('+')}+\n`;
  await output.out(rule + lineText(head, widths) + rule);
  for (const cells of lines) await output.out(lineText(cells, widths));
  await output.out(rule);
}

/** The columns of the table as a side has it. */
function namesOf(columns: readonly string[], side: Side): string[] {
  const prefix = `${side}_`;
  return columns
    .filter(name => name.startsWith(prefix) && name !== `${side}_diff_type`)
    .map(name => name.slice(prefix.length));
}

/** Of each conflict the base, where there is one, and both sides; a side that removed the row shows what it removed. */
async function linesOf(stream: ResultStream, columns: readonly string[], names: readonly string[]) {
  const lines: string[][] = [];
  for await (const batch of stream) {
    for (let row = 0; row < batch.rowCount; row++) {
      const text = (name: string): string => {
        const at = columns.indexOf(name);
        return at < 0 ? 'NULL' : (cellText(batch.column(at), row) ?? 'NULL');
      };
      const kinds = { our: text('our_diff_type'), their: text('their_diff_type') };
      for (const side of SIDES) {
        const kind = side === 'base' ? '' : kinds[side];
        if (side === 'base' && kinds.our === 'added' && kinds.their === 'added') continue;
        const shown = kind === 'removed' ? 'base' : side;
        lines.push([MARKS[kind] ?? '   ', NAMES[side], ...names.map(name => text(`${shown}_${name}`))]);
      }
    }
  }
  return lines;
}

function widthOf(cell: string): number[] {
  return cell.split('\n').map(displayWidth);
}

/** A cell may have several lines of its own. */
function lineText(cells: readonly string[], widths: readonly number[]): string {
  const parts = cells.map(cell => cell.split('\n'));
  const height = Math.max(...parts.map(part => part.length));
  let text = '';
  for (let line = 0; line < height; line++) {
    const padded = parts.map((part, at) => {
      const cell = part[line] ?? '';
      return cell + ' '.repeat(Math.max(0, (widths[at] ?? 0) - displayWidth(cell)));
    });
    text += `| ${padded.join(' | ')} |\n`;
  }
  return text;
}
