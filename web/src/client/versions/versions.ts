/** Version control through the procedures and tables of SQL. */
import { SqlError } from '../errors.ts';
import type { Param, Queries, Row, StatementOptions, Value } from '../types.ts';
import type {
  Branch,
  Change,
  Commit,
  CommitOptions,
  Conflict,
  DiffOptions,
  LogOptions,
  MergeOptions,
  MergeResult,
  TableConflicts,
} from './version_types.ts';

export function quoteName(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}

/** A string in SQL, whichever of MySQL's escapes are on. */
export function quoteText(text: string): string {
  return /[\\\0]/.test(text) ? `CONVERT(x'${hexOf(text)}' USING utf8mb4)` : `'${text.replaceAll("'", "''")}'`;
}

function hexOf(text: string): string {
  return Array.from(new TextEncoder().encode(text), byte => byte.toString(16).padStart(2, '0')).join('');
}

export async function* log(queries: Queries, options: LogOptions = {}): AsyncIterableIterator<Commit> {
  const { from, limit, tables = [], ...statement } = options;
  const args = ["'--parents'", ...(from === undefined ? [] : [quoteText(from)])];
  if (tables.length > 0) args.push("'--tables'", quoteText(tables.join(',')));
  const columns = 'commit_hash, author, author_email, author_date, message, parents';
  const sql = `SELECT ${columns} FROM dolt_log(${args.join(', ')})${limit === undefined ? '' : ` LIMIT ${limit}`}`;
  for await (const row of queries.stream(sql, [], statement).rows()) {
    yield {
      hash: text(row.commit_hash),
      message: text(row.message),
      author: text(row.author),
      email: text(row.author_email),
      date: text(row.author_date),
      parents: text(row.parents).split(', ').filter(Boolean),
    };
  }
}

export async function branches(queries: Queries, options?: StatementOptions): Promise<Branch[]> {
  const sql = 'SELECT name, hash, dirty, name = active_branch() AS is_current FROM dolt_branches ORDER BY name';
  const { rows } = await queries.query(sql, [], options);
  return rows.map(row => ({
    name: text(row.name),
    hash: text(row.hash),
    isCurrent: isTrue(row.is_current),
    isDirty: isTrue(row.dirty),
  }));
}

export async function* diff(
  queries: Queries,
  from: string,
  to: string,
  options: DiffOptions = {},
): AsyncIterableIterator<Change> {
  const { table, where, ...statement } = options;
  const range = `${quoteText(from)}, ${quoteText(to)}`;
  const hasRows = (row: Row): boolean => Number(row.data_change) === 1 || isOfOtherKey(row);
  const tables =
    table === undefined ? (await differingTables(queries, from, to, statement)).filter(hasRows).map(tableOf) : [table];
  for (const name of tables) {
    const condition = where === undefined ? '' : ` WHERE ${where}`;
    const sql = `SELECT * FROM dolt_diff(${range}, ${quoteText(name)})${condition}`;
    for await (const row of queries.stream(sql, [], statement).rows()) yield changeOf(name, row);
  }
}

/**
 * Tables that differ, as `dolt_diff_summary` tells them, by their new names; also those with another primary key, which it leaves
 * out with a warning.
 */
export async function differingTables(
  queries: Queries,
  from: string,
  to: string,
  options: StatementOptions = {},
): Promise<readonly Row[]> {
  const { rows, warnings } = await queries.query('SELECT * FROM dolt_diff_summary(?, ?)', [from, to], options);
  if (warnings.length === 0) return rows;
  const known = new Set(rows.map(tableOf));
  const sql = 'SELECT from_table_name, to_table_name FROM dolt_schema_diff(?, ?)';
  const left = (await queries.query(sql, [from, to], options)).rows.filter(row => !known.has(tableOf(row)));
  const others = left.map(row => {
    const isRenamed = row.from_table_name !== row.to_table_name;
    return { ...row, diff_type: isRenamed ? 'renamed' : 'modified', data_change: null, schema_change: 1 };
  });
  return [...rows, ...others].sort((one, two) => (tableOf(one) < tableOf(two) ? -1 : 1));
}

/** Whether the rows of a table cannot be compared, for its primary key has changed. */
export function isOfOtherKey(row: Row): boolean {
  return row.data_change === null;
}

function tableOf(row: Row): string {
  return text(row.to_table_name) || text(row.from_table_name);
}

/** What is among the columns of a row and is none of the table. */
const OF_NO_COLUMN = new Set([
  'to_commit',
  'to_commit_date',
  'from_commit',
  'from_commit_date',
  'our_diff_type',
  'their_diff_type',
]);

function changeOf(table: string, row: Row): Change {
  const [from, to] = [sideOf(row, 'from_'), sideOf(row, 'to_')];
  switch (row.diff_type) {
    case 'added':
      return { table, kind: 'added', from: null, to };
    case 'removed':
      return { table, kind: 'removed', from, to: null };
    default:
      return { table, kind: 'modified', from, to };
  }
}

function sideOf(row: Row, prefix: string): Row {
  const side: Row = {};
  for (const [name, value] of Object.entries(row)) {
    if (name.startsWith(prefix) && !OF_NO_COLUMN.has(name)) side[name.slice(prefix.length)] = value;
  }
  return side;
}

export async function commit(queries: Queries, options: CommitOptions): Promise<string> {
  const { message, all = true, amend, allowEmpty, author, date, ...statement } = options;
  const args: string[] = ['-m', message];
  if (all === true) args.push('-A');
  else if (all === 'tracked') args.push('-a');
  if (amend) args.push('--amend');
  if (allowEmpty) args.push('--allow-empty');
  if (author !== undefined) args.push('--author', author);
  if (date !== undefined) args.push('--date', date);
  const { rows } = await call(queries, 'dolt_commit', args, statement);
  return text(rows[0]?.hash);
}

/**
 * Conflicts are kept in the working set instead of failing the statement, for this one: the session's settings are put back.
 */
export async function merge(queries: Queries, branch: string, options: MergeOptions = {}): Promise<MergeResult> {
  const { message, author, fastForward, squash, ...statement } = options;
  const args = [branch];
  if (message !== undefined) args.push('-m', message);
  if (author !== undefined) args.push('--author', author);
  if (fastForward !== undefined) args.push(fastForward === 'no' ? '--no-ff' : '--ff-only');
  if (squash) args.push('--squash');
  const row = await keepingConflicts(queries, async () => {
    const { rows } = await call(queries, 'dolt_merge', args, statement);
    return rows[0] ?? {};
  });
  const hasConflicts = isTrue(row.conflicts);
  const told = text(row.message);
  const isUpToDate = /up.to.date|is ahead of b already/i.test(told);
  return {
    outcome: hasConflicts ? 'conflicts' : isUpToDate ? 'up_to_date' : 'merged',
    hash: text(row.hash),
    isFastForward: isTrue(row.fast_forward),
    message: told,
    conflicts: hasConflicts ? await tableConflicts(queries) : [],
  };
}

const KEEPING = ['dolt_allow_commit_conflicts', 'dolt_force_transaction_commit'];

async function setKeeping(queries: Queries, values: readonly number[], options?: StatementOptions): Promise<void> {
  const settings = KEEPING.map((name, index) => `@@${name} = ${values[index]}`);
  await queries.query(`SET ${settings.join(', ')}`, [], options);
}

/** Conflicts and violations of a session's merges stay in its working set from now on, instead of failing the statement. */
export function keepConflicts(queries: Queries, options?: StatementOptions): Promise<void> {
  return setKeeping(queries, [1, 1], options);
}

/** Lets conflicts stay in the working set while `work` runs. */
export async function keepingConflicts<T>(queries: Queries, work: () => Promise<T>): Promise<T> {
  const { rows } = await queries.query(`SELECT ${KEEPING.map(name => `@@${name} AS ${name}`).join(', ')}`);
  const before = KEEPING.map(name => (isTrue(rows[0]?.[name]) ? 1 : 0));
  await keepConflicts(queries);
  try {
    return await work();
  } finally {
    await setKeeping(queries, before);
  }
}

/** What the working set has to be resolved. */
export async function tableConflicts(queries: Queries): Promise<TableConflicts[]> {
  const found = new Map<string, TableConflicts>();
  const add = (table: string, more: Partial<TableConflicts>): void => {
    found.set(table, { ...(found.get(table) ?? { table, count: 0, isOfSchema: false, violations: 0 }), ...more });
  };
  const rowsOf = async (sql: string) => (await queries.query(sql)).rows;
  for (const row of await rowsOf('SELECT `table`, num_conflicts FROM dolt_conflicts')) {
    add(text(row.table), { count: Number(row.num_conflicts) });
  }
  for (const row of await rowsOf('SELECT table_name FROM dolt_schema_conflicts')) {
    add(text(row.table_name), { isOfSchema: true });
  }
  for (const row of await rowsOf('SELECT `table`, num_violations FROM dolt_constraint_violations')) {
    add(text(row.table), { violations: Number(row.num_violations) });
  }
  return [...found.values()];
}

export async function* conflicts(
  queries: Queries,
  table: string,
  options?: StatementOptions,
): AsyncIterableIterator<Conflict> {
  const stream = queries.stream(`SELECT * FROM ${quoteName(`dolt_conflicts_${table}`)}`, [], options);
  for await (const row of stream.rows()) {
    const side = (prefix: string, isAbsent: boolean): Row | null => (isAbsent ? null : sideOf(row, prefix));
    const base = sideOf(row, 'base_');
    yield {
      table,
      id: text(row.dolt_conflict_id),
      // NULLs alone say that a side has no such row; both sides say it for themselves.
      base: Object.values(base).every(value => value === null) ? null : base,
      ours: side('our_', row.our_diff_type === 'removed'),
      theirs: side('their_', row.their_diff_type === 'removed'),
    };
  }
}

export async function resolve(
  queries: Queries,
  take: 'ours' | 'theirs',
  tables: readonly string[],
  options?: StatementOptions,
): Promise<void> {
  const names = tables.length === 0 ? ['.'] : tables;
  await keepingConflicts(queries, () => call(queries, 'dolt_conflicts_resolve', [`--${take}`, ...names], options));
}

/** The commit that a revision is now: `HEAD`, or one with `~2` or `^` behind it, which USE does not know. */
export async function pinned(queries: Queries, ref: string): Promise<string> {
  if (!/^HEAD$|[~^]/i.test(ref)) return ref;
  const { rows } = await queries.query('SELECT dolt_hashof(?) AS hash', [ref]);
  return text(rows[0]?.hash);
}

export function call(queries: Queries, procedure: string, args: readonly Param[], options?: StatementOptions) {
  return queries.query(`CALL ${procedure}(${args.map(() => '?').join(', ')})`, args, options);
}

/** Words of statements that are many are not told one by one. */
const WORDS_MAX = 1000;
/** Words of statements that may name anything. */
const LEADING_ON: ReadonlySet<string> = new Set(['call', 'execute', 'prepare']);

/**
 * The session's transaction fails (1213) where others have changed a table of these names since it began; any table, where the names are not
 * known, or may lead to others.
 */
export async function keepUnchanged(queries: Queries, names: ReadonlySet<string> | null): Promise<void> {
  const leadsOn = (name: string): boolean => /^dolt_|[/\n]/.test(name) || LEADING_ON.has(name);
  const isKnown = names !== null && names.size <= WORDS_MAX && ![...names].some(leadsOn);
  await queries.query('SET varve_unchanged = ?', [isKnown ? [...names, ''].join('\n') : '*']);
}

/** Another program wrote in spite of the lock: nothing was written. */
const LEASE_LOST = 1205;

/** Whether a retry may help: another transaction changed the same rows. */
export function isConflict(error: unknown): boolean {
  return error instanceof SqlError && (error.errno === 1213 || error.errno === LEASE_LOST);
}

export function text(value: Value | undefined): string {
  return value === null || value === undefined ? '' : String(value);
}

export function isTrue(value: Value | undefined): boolean {
  return value === true || value === 1n || value === '1' || (typeof value === 'number' && value !== 0);
}
