import type { Batch, Database, Row } from '../../client/index.ts';
import { cellText, displayWidth } from '../render/cell.ts';
import type { Output } from './output.ts';

export interface DiffRequest {
  readonly from: string;
  readonly to: string;
  readonly tables: readonly string[];
  readonly form: 'rows' | 'schema' | 'data' | 'stat' | 'summary' | 'sql' | 'names';
  /** Rows of each table at most. */
  readonly limit: number | null;
  /** A condition on the columns of `dolt_diff`. */
  readonly where: string | null;
  /** Only columns that changed. */
  readonly isSkinny: boolean;
}

/** Dolt's own tables that are shown; definitions of views and the like come last, as their statements. */
const SHOWN_OF_DOLT = new Set(['dolt_procedures', 'dolt_tests']);
const DEFINITIONS = 'dolt_schemas';

const text = (value: unknown): string => `'${String(value).replaceAll("'", "''")}'`;
const name = (value: string): string => `\`${value.replaceAll('`', '``')}\``;

/** Rows after which the widths of columns are decided. */
const SAMPLE_ROWS = 1000;

/** Prints what differs between two commits or roots, as `dolt diff` does. */
export async function printDiff(database: Database, request: DiffRequest, output: Output): Promise<void> {
  await checkTables(database, request);
  const range = `${text(request.from)}, ${text(request.to)}`;
  const summary = await database.query(`SELECT * FROM dolt_diff_summary(${range})`);
  const ignored = request.to === 'WORKING' && request.form !== 'summary' ? await ignoredTables(database) : null;
  const changed = summary.rows.filter(row => {
    const names = [String(row.from_table_name ?? ''), String(row.to_table_name ?? '')];
    if (request.tables.length > 0 && !request.tables.some(table => names.includes(table))) return false;
    if (ignored !== null && row.diff_type === 'added' && names.some(table => ignored.has(table))) return false;
    return names.every(table => !table.startsWith('dolt_') || SHOWN_OF_DOLT.has(table) || table === DEFINITIONS);
  });
  if (request.form === 'summary') return void (await output.out(summaryText(changed)));
  const isOfDefinitions = (row: Row): boolean => [row.from_table_name, row.to_table_name].includes(DEFINITIONS);
  for (const row of changed.filter(row => !isOfDefinitions(row))) {
    if (request.form === 'sql') await printStatements(database, request, row, output);
    else await printTable(database, request, row, output);
  }
  if (changed.some(isOfDefinitions)) await printDefinitions(database, request, output);
}

/** @throws when a table is in neither version. */
async function checkTables(database: Database, { from, to, tables }: DiffRequest): Promise<void> {
  if (tables.length === 0) return;
  const known = new Set<string>(SHOWN_OF_DOLT).add(DEFINITIONS);
  for (const ref of [from, to]) {
    for (const row of (await database.query(`SHOW TABLES AS OF ${text(ref)}`)).rows)
      known.add(String(Object.values(row)[0]));
  }
  const missing = tables.find(table => !known.has(table));
  if (missing !== undefined) throw new Error(`table ${missing} does not exist in either revision`);
}

async function ignoredTables(database: Database): Promise<Set<string>> {
  const { rows } = await database.query('SELECT table_name FROM dolt_status_ignored WHERE ignored');
  return new Set(rows.map(row => String(row.table_name)));
}

/** The statements that make the one version of a table of the other: of its definition, then of its rows. */
async function printStatements(database: Database, request: DiffRequest, row: Row, output: Output): Promise<void> {
  const table = String(row.to_table_name || row.from_table_name);
  const patch = `dolt_patch(${text(request.from)}, ${text(request.to)}, ${text(table)})`;
  const { rows } = await database.query(`SELECT diff_type, statement FROM ${patch} ORDER BY statement_order`);
  let isData = false;
  for (const { diff_type, statement } of rows) {
    if (!isData && diff_type === 'data') await output.out('\n');
    isData ||= diff_type === 'data';
    await output.out(`${statement}\n`);
  }
}

/** Views, triggers and events that differ. */
async function printDefinitions(database: Database, request: DiffRequest, output: Output): Promise<void> {
  const { rows } = await database.query(
    `SELECT from_name, to_name, from_type, to_type, from_fragment, to_fragment FROM dolt_diff(${text(request.from)}, ${text(request.to)}, '${DEFINITIONS}') ` +
      'ORDER BY coalesce(from_type, to_type), coalesce(from_name, to_name)',
  );
  const ended = (fragment: unknown): string => {
    const statement = String(fragment ?? '');
    return statement === '' || statement.endsWith(';') ? statement : `${statement};`;
  };
  const lines = (statement: string): string[] => (statement === '' ? [] : statement.split('\n'));
  for (const row of rows) {
    const [before, after] = [ended(row.from_fragment), ended(row.to_fragment)];
    if (request.form !== 'sql') {
      await output.out(lineDiff(lines(before), lines(after)));
      continue;
    }
    const kind = String(row.from_type ?? row.to_type).toUpperCase();
    if (before !== '') await output.out(`DROP ${kind} ${name(String(row.from_name))};\n`);
    if (after !== '') await output.out(`${after}\n`);
  }
}

function summaryText(rows: readonly Row[]): string {
  if (rows.length === 0) return '';
  const heading = ['Table name', 'Diff type', 'Data change', 'Schema change'];
  const isTrue = (value: unknown): string => String(Boolean(Number(value)));
  const cells = rows.map(row => [
    String(row.to_table_name || row.from_table_name),
    String(row.diff_type),
    isTrue(row.data_change),
    isTrue(row.schema_change),
  ]);
  return frame(heading, cells);
}

async function printTable(database: Database, request: DiffRequest, row: Row, output: Output): Promise<void> {
  const [from, to] = [String(row.from_table_name ?? ''), String(row.to_table_name ?? '')];
  const isAdded = row.diff_type === 'added';
  const isDropped = row.diff_type === 'dropped';
  const table = to || from;
  if (request.form === 'names') return void (await output.out(`${from || to}\n`));
  await output.out(`diff --dolt a/${from || table} b/${table}\n`);
  if (isAdded) await output.out('added table\n');
  else if (isDropped) await output.out('deleted table\n');
  else await output.out(`--- a/${from}\n+++ b/${to}\n`);
  const { form } = request;
  if (form === 'stat') return printStat(database, request, table, output);
  if (form !== 'data' && Number(row.schema_change)) {
    const before = isAdded ? [] : await schemaLines(database, from, request.from);
    const after = isDropped ? [] : await schemaLines(database, to, request.to);
    await output.out(lineDiff(before, after));
  }
  if (form !== 'schema' && Number(row.data_change)) await printRows(database, request, table, output);
}

/** The schema at a commit. */
async function schemaLines(database: Database, table: string, ref: string): Promise<string[]> {
  const at = ref === 'WORKING' ? '' : ` AS OF ${text(ref)}`;
  const { rows } = await database.query(`SHOW CREATE TABLE ${name(table)}${at}`);
  return `${rows[0]?.['Create Table'] ?? rows[0]?.['Create View'] ?? ''};`.split('\n');
}

/** Lines with what became of them: ` `, `-` or `+`, by the longest common subsequence. */
export function lineDiff(before: readonly string[], after: readonly string[]): string {
  const width = after.length + 1;
  const common = new Uint32Array((before.length + 1) * width);
  const at = (row: number, column: number): number => common[row * width + column] as number;
  for (let row = before.length - 1; row >= 0; row--) {
    for (let column = after.length - 1; column >= 0; column--) {
      common[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  let result = '';
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    if (row < before.length && column < after.length && before[row] === after[column]) {
      result += ` ${before[row++]}\n`;
      column++;
    } else if (row < before.length && (column === after.length || at(row + 1, column) >= at(row, column + 1))) {
      result += `-${before[row++]}\n`;
    } else result += `+${after[column++]}\n`;
  }
  return result;
}

async function printStat(database: Database, request: DiffRequest, table: string, output: Output): Promise<void> {
  const { from, to } = request;
  const { rows } = await database.query(`SELECT * FROM dolt_diff_stat(${text(from)}, ${text(to)}, ${text(table)})`);
  const [stat] = rows;
  await output.out(
    stat === undefined ? 'No data changes. See schema changes by using -s or --schema.\n' : statText(stat),
  );
}

function statText(stat: Row): string {
  const number = (column: string): number => Number(stat[column] ?? 0);
  const [before, after] = [number('old_row_count'), number('new_row_count')];
  const line = (count: number, what: string, total: number): string => {
    const share = total === 0 ? 0 : (100 * count) / total;
    return `${count} ${what} (${share.toFixed(2)}%)\n`;
  };
  const plural = (count: number, one: string, many: string): string => (count === 1 ? one : many);
  const rows = (column: string, what: string): string =>
    line(number(column), `${plural(number(column), 'Row', 'Rows')} ${what}`, before);
  const cells = (column: string, what: string, total: string): string =>
    line(number(column), `${plural(number(column), 'Cell', 'Cells')} ${what}`, number(total));
  return (
    line(number('rows_unmodified'), `${plural(number('rows_unmodified'), 'Row', 'Rows')} Unmodified`, before) +
    rows('rows_added', 'Added') +
    rows('rows_deleted', 'Deleted') +
    rows('rows_modified', 'Modified') +
    cells('cells_added', 'Added', 'old_cell_count') +
    cells('cells_deleted', 'Deleted', 'old_cell_count') +
    cells('cells_modified', 'Modified', 'old_cell_count') +
    `(${before} ${plural(before, 'Row Entry', 'Row Entries')} vs ${after} ${plural(after, 'Row Entry', 'Row Entries')})\n\n`
  );
}

const OF_COMMIT = new Set(['commit', 'commit_date']);

async function printRows(database: Database, request: DiffRequest, table: string, output: Output): Promise<void> {
  const skinny = request.isSkinny ? `'--skinny', ` : '';
  const where = request.where === null ? '' : ` WHERE ${request.where}`;
  const limit = request.limit === null ? '' : ` LIMIT ${request.limit}`;
  const range = `${text(request.from)}, ${text(request.to)}`;
  const stream = database.stream(`SELECT * FROM dolt_diff(${skinny}${range}, ${text(table)})${where}${limit}`);
  const columns = await stream.columns;
  const sides = (prefix: string): Map<string, number> =>
    new Map(
      columns
        .map((column, index) => [column.name, index] as const)
        .filter(([known]) => known.startsWith(prefix) && !OF_COMMIT.has(known.slice(prefix.length)))
        .map(([known, index]) => [known.slice(prefix.length), index]),
    );
  const [before, after] = [sides('from_'), sides('to_')];
  const names = [...before.keys(), ...[...after.keys()].filter(known => !before.has(known))];
  const kindAt = columns.findIndex(column => column.name === 'diff_type');
  const lineOf = (batch: Batch, row: number, mark: string, side: ReadonlyMap<string, number>): string[] => [
    mark,
    ...names.map(known => {
      const index = side.get(known);
      return index === undefined ? 'NULL' : (cellText(batch.column(index), row) ?? 'NULL');
    }),
  ];
  let waiting: string[][] = [];
  let widths: number[] | null = null;
  const heading = ['', ...names];
  const flush = async (): Promise<void> => {
    if (widths === null) {
      widths = widthsOf([heading, ...waiting]);
      await output.out(rule(widths) + lineText(heading, widths) + rule(widths));
    }
    const decided = widths;
    await output.out(waiting.map(line => lineText(line, decided)).join(''));
    waiting = [];
  };
  for await (const batch of stream) {
    for (let row = 0; row < batch.rowCount; row++) {
      const kind = batch.column(kindAt).text(row);
      if (kind === 'added') waiting.push(lineOf(batch, row, '+', after));
      else if (kind === 'removed') waiting.push(lineOf(batch, row, '-', before));
      else waiting.push(lineOf(batch, row, '<', before), lineOf(batch, row, '>', after));
    }
    if (waiting.length >= SAMPLE_ROWS) await flush();
  }
  await flush();
  await output.out(rule(widths ?? []));
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
