/** `varve diff`: changed rows and schemas of two revisions. */
import { type Batch, type Database, differingTables, isOfOtherKey, type Row } from '../../../client/index.ts';
import { quoteName, quoteText } from '../../../client/versions/versions.ts';
import { cellText } from '../../render/cell.ts';
import { paint } from '../../render/color.ts';
import type { Output } from '../output.ts';
import { type JsonDefinition, JsonDiff } from './diff_json.ts';
import { summaryText, tableOf } from './diff_summary.ts';
import { type DiffMode, DiffTable } from './diff_table.ts';

export interface DiffRequest {
  readonly from: string;
  readonly to: string;
  readonly tables: readonly string[];
  readonly form: 'rows' | 'schema' | 'data' | 'stat' | 'summary' | 'names';
  /** Output formats of `rows`, `schema`, `data` and, except for SQL, `stat`. */
  readonly result: 'tabular' | 'sql' | 'json';
  /** Rows of each table at most. */
  readonly limit: number | null;
  /** A condition on the columns of `dolt_diff`. */
  readonly where: string | null;
  /** Only columns that changed. */
  readonly isSkinny: boolean;
  /** Columns that are printed beside them. */
  readonly included: readonly string[];
  /** Dolt's own tables, too. */
  readonly withSystem: boolean;
  /** How a changed row is printed in a table. */
  readonly mode: DiffMode;
  /** Only what was changed in this way: whole tables where their definition differs, rows where it does not. */
  readonly only: ChangeKind | null;
  readonly useColor: boolean;
}

/** `dropped` stands for rows that were deleted, too. */
export const CHANGE_KINDS = ['added', 'modified', 'renamed', 'dropped'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** Dolt's own tables that are shown; definitions of views and the like come last, as their statements. */
const SHOWN_OF_DOLT = new Set(['dolt_procedures', 'dolt_tests']);
const DEFINITIONS = 'dolt_schemas';
const OF_FULL_TEXT = /^dolt_.*_fts_/;

function isShown(table: string, { withSystem, form }: DiffRequest): boolean {
  if (withSystem) return form === 'summary' || !OF_FULL_TEXT.test(table);
  return !table.startsWith('dolt_') || SHOWN_OF_DOLT.has(table) || table === DEFINITIONS;
}

/** Prints what differs between two commits or roots, as `dolt diff` does. */
export async function printDiff(database: Database, request: DiffRequest, output: Output): Promise<void> {
  const differing = await differingTables(database, request.from, request.to);
  await checkTables(database, request, differing);
  const ignored = request.to === 'WORKING' && request.form !== 'summary' ? await ignoredTables(database) : null;
  const changed = differing.filter(row => {
    const names = [String(row.from_table_name ?? ''), String(row.to_table_name ?? '')];
    if (request.tables.length > 0 && !request.tables.some(table => names.includes(table))) return false;
    if (ignored !== null && row.diff_type === 'added' && names.some(table => ignored.has(table))) return false;
    return names.every(table => isShown(table, request));
  });
  if (request.form === 'summary') return void (await output.out(summaryText(changed)));
  await printTables(database, request, await wanted(database, request, changed), output);
}

/** Tables with a change of the kind that is asked for. */
async function wanted(database: Database, request: DiffRequest, changed: readonly Row[]): Promise<readonly Row[]> {
  const { only, form } = request;
  if (only === null) return changed;
  const found: Row[] = [];
  for (const row of changed) {
    const hasSuch = isOfRowsOnly(row)
      ? form === 'names' || form === 'stat' || (await hasRows(database, rowsSql(request, tableOf(row))))
      : row.diff_type === only;
    if (hasSuch) found.push(row);
  }
  return found;
}

function isOfRowsOnly(row: Row): boolean {
  return !Number(row.schema_change) && row.diff_type !== 'renamed' && Number(row.data_change) === 1;
}

async function hasRows(database: Database, sql: string): Promise<boolean> {
  return (await database.query(`SELECT 1 FROM (${sql}) AS changed LIMIT 1`)).rows.length > 0;
}

async function printTables(
  database: Database,
  request: DiffRequest,
  changed: readonly Row[],
  output: Output,
): Promise<void> {
  if (request.result === 'json' && request.form !== 'names') return printJson(database, request, changed, output);
  const isOfDefinitions = (row: Row): boolean => [row.from_table_name, row.to_table_name].includes(DEFINITIONS);
  for (const row of changed.filter(row => !isOfDefinitions(row))) {
    if (request.result === 'sql' && request.form !== 'names') await printStatements(database, request, row, output);
    else await printTable(database, request, row, output);
  }
  if (changed.some(isOfDefinitions)) await printDefinitions(database, request, output);
  const rekeyed = request.result === 'sql' && request.form !== 'schema' ? changed.find(isOfOtherKey) : undefined;
  // Such a script is not all of the change.
  if (rekeyed !== undefined) throw new Error(otherKeyText(tableOf(rekeyed)));
}

function otherKeyText(table: string): string {
  return `Primary key sets differ between revisions for table '${table}', skipping data diff`;
}

async function printJson(
  database: Database,
  request: DiffRequest,
  changed: readonly Row[],
  output: Output,
): Promise<void> {
  const { form } = request;
  const json = new JsonDiff(database, output);
  const isDefinition = (row: Row): boolean => [row.from_table_name, row.to_table_name].includes(DEFINITIONS);
  for (const row of changed.filter(row => !isDefinition(row))) {
    const [from, to] = [String(row.from_table_name ?? ''), String(row.to_table_name ?? '')];
    const table = to || from;
    const hasRows = form !== 'schema' && form !== 'stat' && Number(row.data_change) === 1;
    await json.table({
      name: from || to,
      rows: hasRows ? rowsSql(request, table) : null,
      statements: form === 'data' ? null : await schemaStatements(database, request, row),
      stat: form === 'stat' && !isOfOtherKey(row) ? await statOf(database, request, table) : undefined,
    });
  }
  await json.end(changed.some(isDefinition) ? await definitionsOf(database, request) : []);
}

/** The statements that change the definition of a table. */
async function schemaStatements(database: Database, request: DiffRequest, row: Row): Promise<string[]> {
  if (!Number(row.schema_change)) return [];
  const table = tableOf(row);
  if (row.diff_type === 'added') return [await definitionOf(database, table, request.to)];
  const patch = `dolt_patch(${quoteText(request.from)}, ${quoteText(request.to)}, ${quoteText(table)})`;
  const sql = `SELECT statement FROM ${patch} WHERE diff_type = 'schema' ORDER BY statement_order`;
  return (await database.query(sql)).rows.map(({ statement }) => String(statement));
}

/** @throws when a table is in neither version. */
async function checkTables(
  database: Database,
  { from, to, tables, withSystem }: DiffRequest,
  differing: readonly Row[],
): Promise<void> {
  if (tables.length === 0) return;
  const known = new Set<string>(SHOWN_OF_DOLT).add(DEFINITIONS);
  if (withSystem) for (const row of differing) known.add(tableOf(row));
  for (const ref of [from, to]) {
    for (const row of (await database.query(`SHOW TABLES AS OF ${quoteText(ref)}`)).rows)
      known.add(String(Object.values(row)[0]));
  }
  const missing = tables.find(table => !known.has(table));
  if (missing !== undefined) throw new Error(`table ${missing} does not exist in either revision`);
}

async function ignoredTables(database: Database): Promise<Set<string>> {
  const { rows } = await database.query('SELECT table_name FROM dolt_status_ignored WHERE ignored');
  return new Set(rows.map(row => String(row.table_name)));
}

/** How a statement begins that changes a row in this way. */
const STATEMENT_OF: Readonly<Record<ChangeKind, string>> = {
  added: 'INSERT',
  modified: 'UPDATE',
  renamed: 'RENAME',
  dropped: 'DELETE',
};

/** The statements that make the one version of a table of the other: of its definition, then of its rows. */
async function printStatements(database: Database, request: DiffRequest, row: Row, output: Output): Promise<void> {
  const table = String(row.to_table_name || row.from_table_name);
  const patch = `dolt_patch(${quoteText(request.from)}, ${quoteText(request.to)}, ${quoteText(table)})`;
  const part = request.form === 'rows' ? '' : ` WHERE diff_type = '${request.form}'`;
  const statements = database.stream(`SELECT diff_type, statement FROM ${patch}${part} ORDER BY statement_order`);
  const chosen = request.where === null ? null : await chosenRows(database, request, table, patch);
  let rowCount = 0;
  for await (const { diff_type, statement } of statements.rows()) {
    if (diff_type === 'schema' && row.diff_type === 'added') {
      await output.out(`${await definitionOf(database, table, request.to)}\n`);
      continue;
    }
    const kind = diff_type === 'data' ? String(statement).slice(0, 6) : null;
    if (kind !== null && chosen !== null) {
      const { value: row } = await chosen.next();
      if (row?.kind !== kind) throw new Error(`${NOT_ALIKE} in ${table}`);
      if (!row.isChosen) continue;
    }
    if (kind !== null) rowCount += 1;
    if (request.limit !== null && rowCount > request.limit) return;
    if (kind !== null && request.only !== null && kind !== STATEMENT_OF[request.only]) continue;
    // Native Dolt leaves a line where the row was before the change.
    await output.out(`${kind === 'UPDATE' ? '\n' : ''}${statement}\n`);
  }
}

const NOT_ALIKE = '--where cannot choose statements: not every changed row has one of its own';

interface ChosenRow {
  /** How the statement of the row begins. */
  readonly kind: string;
  readonly isChosen: boolean;
}

/** The changed rows of a table in the order of their statements, each of which has one. */
async function chosenRows(
  database: Database,
  { from, to, where }: DiffRequest,
  table: string,
  patch: string,
): Promise<AsyncIterator<ChosenRow, undefined>> {
  const changes = `dolt_diff(${quoteText(from)}, ${quoteText(to)}, ${quoteText(table)})`;
  const countOf = async (rows: string): Promise<number> =>
    Number((await database.query(`SELECT count(*) AS count FROM ${rows}`)).rows[0]?.count);
  const statementCount = await countOf(`${patch} WHERE diff_type = 'data'`);
  // Of a table that goes no row has one.
  if (statementCount > 0 && statementCount !== (await countOf(changes))) throw new Error(`${NOT_ALIKE} in ${table}`);
  const kinds = "CASE diff_type WHEN 'added' THEN 'INSERT' WHEN 'removed' THEN 'DELETE' ELSE 'UPDATE' END";
  const rows = database.stream(`SELECT ${kinds} AS kind, (${where}) IS TRUE AS chosen FROM ${changes}`).rows();
  return (async function* () {
    for await (const { kind, chosen } of rows) yield { kind: String(kind), isChosen: Boolean(Number(chosen)) };
    return undefined;
  })();
}

/** Views, triggers and events that differ, with their statements. */
async function definitionsOf(database: Database, request: DiffRequest): Promise<JsonDefinition[]> {
  const { rows } = await database.query(
    `SELECT from_name, to_name, from_type, to_type, from_fragment, to_fragment FROM dolt_diff(${quoteText(request.from)}, ${quoteText(request.to)}, '${DEFINITIONS}') ` +
      'ORDER BY coalesce(from_type, to_type), coalesce(from_name, to_name)',
  );
  const ended = (fragment: unknown): string => {
    const statement = String(fragment ?? '');
    return statement === '' || statement.endsWith(';') ? statement : `${statement};`;
  };
  return rows.map(row => ({
    kind: String(row.from_type ?? row.to_type),
    name: String(row.from_name ?? row.to_name),
    before: ended(row.from_fragment),
    after: ended(row.to_fragment),
  }));
}

async function printDefinitions(database: Database, request: DiffRequest, output: Output): Promise<void> {
  const lines = (statement: string): string[] => (statement === '' ? [] : statement.split('\n'));
  for (const { kind, name: known, before, after } of await definitionsOf(database, request)) {
    if (request.result !== 'sql') {
      await output.out(lineDiff(lines(before), lines(after)));
      continue;
    }
    if (before !== '') await output.out(`DROP ${kind.toUpperCase()} ${quoteName(known)};\n`);
    if (after !== '') await output.out(`${after}\n`);
  }
}

async function printTable(database: Database, request: DiffRequest, row: Row, output: Output): Promise<void> {
  const [from, to] = [String(row.from_table_name ?? ''), String(row.to_table_name ?? '')];
  const isAdded = row.diff_type === 'added';
  const isDropped = row.diff_type === 'dropped';
  const table = to || from;
  if (request.form === 'names') return void (await output.out(`${from || to}\n`));
  // Where a kind of change is asked for, native Dolt's counts of a table of which only rows differ have no head.
  const isBare = request.form === 'stat' && request.only !== null && isOfRowsOnly(row);
  if (isBare) return printStat(database, request, table, output);
  const heads = isAdded ? ['added table'] : isDropped ? ['deleted table'] : [`--- a/${from}`, `+++ b/${to}`];
  for (const head of [`diff --dolt a/${from || table} b/${table}`, ...heads])
    await output.out(`${paint(head, 'bold', request.useColor)}\n`);
  const { form } = request;
  if (form === 'stat' && !isOfOtherKey(row)) return printStat(database, request, table, output);
  if (form !== 'data' && form !== 'stat' && Number(row.schema_change)) {
    const before = isAdded ? [] : (await definitionOf(database, from, request.from)).split('\n');
    const after = isDropped ? [] : (await definitionOf(database, to, request.to)).split('\n');
    await output.out(lineDiff(before, after));
  }
  if (form !== 'schema' && isOfOtherKey(row)) output.error(`${otherKeyText(table)}\n`);
  else if (form !== 'schema' && Number(row.data_change)) await printRows(database, request, table, output);
}

/** The definition at a commit, with the counter of AUTO_INCREMENT, which `dolt_patch` leaves out. */
async function definitionOf(database: Database, table: string, ref: string): Promise<string> {
  const at = ref === 'WORKING' ? '' : ` AS OF ${quoteText(ref)}`;
  const { rows } = await database.query(`SHOW CREATE TABLE ${quoteName(table)}${at}`);
  return `${rows[0]?.['Create Table'] ?? rows[0]?.['Create View'] ?? ''};`;
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

/** Null where no row differs. */
async function statOf(database: Database, { from, to }: DiffRequest, table: string): Promise<Row | null> {
  const { rows } = await database.query(
    `SELECT * FROM dolt_diff_stat(${quoteText(from)}, ${quoteText(to)}, ${quoteText(table)})`,
  );
  return rows[0] ?? null;
}

async function printStat(database: Database, request: DiffRequest, table: string, output: Output): Promise<void> {
  const stat = await statOf(database, request, table);
  await output.out(stat === null ? 'No data changes. See schema changes by using -s or --schema.\n' : statText(stat));
}

function statText(stat: Row): string {
  const number = (column: string): number => Number(stat[column] ?? 0);
  const counted = (count: number, one: string, many: string): string =>
    `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
  const rows = (what: string): string => counted(number(`rows_${what.toLowerCase()}`), `Row ${what}`, `Rows ${what}`);
  // Rows without a key can only be counted.
  if (stat.rows_unmodified === null) return `${rows('Added')}\n${rows('Deleted')}\n`;
  const [before, after] = [number('old_row_count'), number('new_row_count')];
  // Of nothing, as native Dolt's numbers say it.
  const share = (count: number, total: number): string => {
    const percent = (100 * count) / total;
    return Number.isFinite(percent) ? percent.toFixed(2) : Number.isNaN(percent) ? 'NaN' : '+Inf';
  };
  const ofRows = (what: string): string => {
    const count = number(`rows_${what.toLowerCase()}`);
    return `${rows(what)} (${count === 0 ? '0.00' : share(count, before)}%)\n`;
  };
  const ofCells = (what: string, total: string, isBare = false): string => {
    const count = number(`cells_${what.toLowerCase()}`);
    const told = count === 0 && !isBare ? '0.00' : share(count, number(total));
    return `${counted(count, `Cell ${what}`, `Cells ${what}`)} (${told}%)\n`;
  };
  return (
    ofRows('Unmodified') +
    ofRows('Added') +
    ofRows('Deleted') +
    ofRows('Modified') +
    ofCells('Added', 'old_cell_count') +
    ofCells('Deleted', 'old_cell_count') +
    ofCells('Modified', 'old_cell_count', true) +
    `(${counted(before, 'Row Entry', 'Row Entries')} vs ${counted(after, 'Row Entry', 'Row Entries')})\n\n`
  );
}

const OF_COMMIT = new Set(['commit', 'commit_date']);

/** What `dolt_diff` calls rows that were changed in this way. */
const ROW_KIND: Readonly<Record<ChangeKind, string>> = {
  added: 'added',
  modified: 'modified',
  renamed: 'renamed',
  dropped: 'removed',
};

function rowsSql({ from, to, isSkinny, included, where, limit, only }: DiffRequest, table: string): string {
  const skinny = isSkinny ? `'--skinny', ` : '';
  // As in native Dolt they are beside what changed, and without --skinny there is everything.
  const beside = isSkinny ? included.map(column => `, '--include-cols', ${quoteText(column)}`).join('') : '';
  const condition = where === null ? '' : ` WHERE ${where}`;
  const most = limit === null ? '' : ` LIMIT ${limit}`;
  const rows = `SELECT * FROM dolt_diff(${skinny}${quoteText(from)}, ${quoteText(to)}, ${quoteText(table)}${beside})${condition}${most}`;
  // As native Dolt has it, rows of other kinds count for the limit.
  return only === null ? rows : `SELECT * FROM (${rows}) AS changed WHERE diff_type = '${ROW_KIND[only]}'`;
}

async function printRows(database: Database, request: DiffRequest, table: string, output: Output): Promise<void> {
  const stream = database.stream(rowsSql(request, table));
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
  const cellsOf = (batch: Batch, row: number, side: ReadonlyMap<string, number>): (string | null)[] =>
    names.map(known => {
      const index = side.get(known);
      return index === undefined ? null : cellText(batch.column(index), row);
    });
  const drawn = new DiffTable(names, request.mode, request.useColor, output);
  for await (const batch of stream) {
    for (let row = 0; row < batch.rowCount; row++) {
      const kind = batch.column(kindAt).text(row);
      if (kind === 'added') await drawn.added(cellsOf(batch, row, after));
      else if (kind === 'removed') await drawn.removed(cellsOf(batch, row, before));
      else await drawn.changed(cellsOf(batch, row, before), cellsOf(batch, row, after));
    }
  }
  await drawn.end();
}
