/** The working set by SQL: what differs from the last commit, what is staged, what a merge left open. */
import type { Database, Queries, Row, Value } from '../../lib/index.ts';
import { type ChangedTable, loadChangedTables } from '../sql/changed_tables.ts';
import { countDiffs, type DiffStat, type Revisions, tellWhenCounted } from '../sql/diff_stat.ts';
import type { KnownCounts } from '../ui/row_counts.tsx';

export interface TableChange extends ChangedTable {
  readonly rows: KnownCounts;
}

export interface TableTrouble {
  readonly table: string;
  /** Rows that both sides changed. */
  readonly conflicts: number;
  readonly violations: number;
  readonly isOfSchema: boolean;
}

/** Changes that were put aside. */
export interface StashEntry {
  /** The name it was given; several of the same name are a list. */
  readonly list: string;
  /** `stash@{0}` is the newest of its list. */
  readonly id: string;
  readonly index: number;
  readonly branch: string;
  /** The commit that it was made on, and its message. */
  readonly hash: string;
  readonly message: string;
}

export interface WorkingState {
  /** Another text whenever anything that can be compared is another: the last commit, what is staged, what is not. */
  readonly roots: string;
  readonly staged: readonly TableChange[];
  readonly unstaged: readonly TableChange[];
  readonly troubles: readonly TableTrouble[];
  /** The branch or commit that is being merged. */
  readonly merging: string | undefined;
  readonly stashes: readonly StashEntry[];
}

const CLEAN: WorkingState = {
  roots: '',
  staged: [],
  unstaged: [],
  troubles: [],
  merging: undefined,
  stashes: [],
};

const STATUS_SQL = 'SELECT table_name, staged, status FROM dolt_status';
/** Also what a live query asks to hear of changes: it costs little, however many tables there are. */
export const ROOTS_SQL = "SELECT dolt_hashof_db('HEAD'), dolt_hashof_db('STAGED'), dolt_hashof_db('WORKING')";

const STAGED: Revisions = ['HEAD', 'STAGED'];
const UNSTAGED: Revisions = ['STAGED', 'WORKING'];

/** All but how many rows differ: they are to be counted. */
export async function loadWorkingState(queries: Queries): Promise<WorkingState> {
  const [roots, status, merge, stashes] = await Promise.all([
    loadRoots(queries),
    rowsOf(queries, STATUS_SQL),
    loadMerge(queries),
    loadStashes(queries),
  ]);
  if (status.length === 0) return { ...CLEAN, roots, merging: merge, stashes };
  const troubles = status.some(isTrouble) || merge !== undefined ? await loadTroubles(queries) : [];
  const troubled = new Set(troubles.map(({ table }) => table));
  const isStaged = (row: Row) => Number(row.staged) === 1;
  const listed = (rows: readonly Row[]) => new Set(rows.flatMap(row => textOf(row.table_name).split(' -> ')));
  const [staged, unstaged] = await Promise.all([
    status.some(isStaged) ? loadChangedTables(queries, ...STAGED) : [],
    status.every(isStaged) ? [] : loadChangedTables(queries, ...UNSTAGED),
  ]);
  // Tables that are ignored differ too, and have no status.
  const known = (changes: readonly ChangedTable[], names: ReadonlySet<string>) =>
    withCounts(
      changes.filter(({ table }) => names.has(table) && !troubled.has(table)),
      'counting',
    );
  return {
    roots,
    staged: known(staged, listed(status.filter(isStaged))),
    unstaged: known(unstaged, listed(status.filter(row => !isStaged(row)))),
    troubles,
    merging: merge,
    stashes,
  };
}

/** A tag or a commit has no working set, and stays. */
async function loadRoots(queries: Queries): Promise<string> {
  const found = await queries.query(ROOTS_SQL).catch(() => undefined);
  return found?.rowArrays()[0]?.map(textOf).join(' ') ?? '';
}

async function loadStashes(queries: Queries): Promise<readonly StashEntry[]> {
  const rows = await rowsOf(queries, 'SELECT name, stash_id, branch, hash, commit_message FROM dolt_stashes');
  return rows.map(row => ({
    list: textOf(row.name),
    id: textOf(row.stash_id),
    index: Number(/\d+/.exec(textOf(row.stash_id))?.[0] ?? 0),
    branch: textOf(row.branch),
    hash: textOf(row.hash),
    message: textOf(row.commit_message),
  }));
}

/**
 * Tells of a state, and again once its rows are counted if that takes long.
 *
 * @returns a promise of the first call; there is none after the signal has aborted.
 */
export async function countState(
  database: Database,
  state: WorkingState,
  signal: AbortSignal,
  tell: (state: WorkingState) => void,
): Promise<void> {
  const { staged, unstaged } = state;
  if (![...staged, ...unstaged].some(({ rows }) => rows === 'counting')) return tell(state);
  const counting = countDiffs(database, [STAGED, UNSTAGED], { signal });
  await tellWhenCounted(counting, signal, stats =>
    tell(
      stats === undefined
        ? state
        : { ...state, staged: withCounts(staged, stats[0]), unstaged: withCounts(unstaged, stats[1]) },
    ),
  );
}

/**
 * Tells of the tables that differ between two revisions, and again once their rows are counted if that takes long.
 *
 * @returns a promise of the first call; there is none after the signal has aborted.
 */
export async function loadChanges(
  database: Database,
  revisions: Revisions,
  signal: AbortSignal,
  tell: (changes: readonly TableChange[]) => void,
): Promise<void> {
  const tables = await loadChangedTables(database, ...revisions);
  const counting = tables.some(({ hasData }) => hasData) ? countDiffs(database, [revisions], { signal }) : NONE;
  await tellWhenCounted(counting, signal, stats =>
    tell(withCounts(tables, stats === undefined ? 'counting' : stats[0])),
  );
}

const NONE: Promise<readonly DiffStat[]> = Promise.resolve([]);

function withCounts(tables: readonly ChangedTable[], stat: DiffStat | 'counting'): readonly TableChange[] {
  const counts = (table: string): KnownCounts => (stat === 'counting' ? stat : stat?.get(table));
  const none = { added: 0, removed: 0, modified: 0 };
  return tables.map(table => ({ ...table, rows: table.hasData ? counts(table.table) : none }));
}

async function loadMerge(queries: Queries): Promise<string | undefined> {
  const [row] = await rowsOf(queries, 'SELECT is_merging, source FROM dolt_merge_status');
  return Number(row?.is_merging ?? 0) === 1 ? textOf(row?.source) : undefined;
}

/** `dolt_status` has a row of these kinds for each table that is to be resolved. */
function isTrouble(row: Row): boolean {
  return ['conflict', 'schema conflict', 'constraint violation'].includes(textOf(row.status));
}

async function loadTroubles(queries: Queries): Promise<readonly TableTrouble[]> {
  const [conflicts, schemas, violations] = await Promise.all([
    rowsOf(queries, 'SELECT `table`, num_conflicts FROM dolt_conflicts'),
    rowsOf(queries, 'SELECT table_name FROM dolt_schema_conflicts'),
    rowsOf(queries, 'SELECT `table`, num_violations FROM dolt_constraint_violations'),
  ]);
  const found = new Map<string, TableTrouble>();
  const add = (table: string, more: Partial<TableTrouble>) => {
    const known = found.get(table) ?? { table, conflicts: 0, violations: 0, isOfSchema: false };
    found.set(table, { ...known, ...more });
  };
  for (const row of conflicts) add(textOf(row.table), { conflicts: Number(row.num_conflicts) });
  for (const row of schemas) add(textOf(row.table_name), { isOfSchema: true });
  for (const row of violations) add(textOf(row.table), { violations: Number(row.num_violations) });
  return [...found.values()].sort((a, b) => a.table.localeCompare(b.table, 'en', { numeric: true }));
}

async function rowsOf(queries: Queries, sql: string): Promise<readonly Row[]> {
  return (await queries.query(sql)).rows;
}

function textOf(value: Value | undefined): string {
  return value === null || value === undefined ? '' : String(value);
}
