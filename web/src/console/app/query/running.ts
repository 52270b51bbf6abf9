/** Running of statements, scripts and plans from the editor. */
import { signal } from '@preact/signals';
import type { ScriptPart } from '../../editor/editor.ts';
import { outlineOf, splitStatements } from '../../sql/lexer.ts';
import { isExplainable, readsOnly } from '../../sql/statement.ts';
import { toast } from '../../ui/toast.tsx';
import { type Connection, currentConnection, noteChange, openedConnection } from '../database/connection.ts';
import { dialog } from '../dialogs.ts';
import { editsOf, prepareEditing, summaryOf } from './edit/row_edits.ts';
import { withValues } from './parameters.ts';
import { closeComparison, type QueryTab } from './query_tabs.ts';
import { remember } from './saved/history.ts';
import { StatementRun } from './statement_run.ts';

interface Running {
  readonly tab: QueryTab;
  readonly abort: AbortController;
  readonly ended: Promise<void>;
}

/** What runs now. The session is one, so statements of all tabs go one after the other. */
export const running = signal<Running | undefined>(undefined);

/** The form with a tree in it: plain EXPLAIN answers with MySQL's table, which says nothing of the plan. */
const EXPLAIN = 'EXPLAIN FORMAT=TREE ';
const ANALYZE = 'EXPLAIN ANALYZE ';
/** May leave the session on another branch or in another database. */
const MOVES: ReadonlySet<string> = new Set(['USE', 'CALL', 'SET', 'EXECUTE', 'DROP']);
const STATEMENTS_MAX = 500;

/** Runs the statements of `part` in order; a failure ends the script. */
export async function runPart(tab: QueryTab, part: ScriptPart, asPlan = false): Promise<void> {
  // Somebody who asks before the database is there gets the answer when it is.
  const connection = await openedConnection();
  if (connection === undefined) return toast('Open a database first', 'failure');
  while (running.peek() !== undefined)
    if (!(await madeRoom())) return toast('A statement is still running. Cancel it first.', 'failure');
  if (currentConnection() !== connection) return;
  const spans = splitStatements(part.text);
  if (spans.length === 0) return toast('There is no statement to run', 'failure');
  if (spans.length > STATEMENTS_MAX) return toast(`The console runs ${STATEMENTS_MAX} statements at once`, 'failure');
  const runs: StatementRun[] = [];
  for (const { from, to } of spans) {
    const run = runOf(tab, part.text.slice(from, to), part.offset + from, asPlan);
    if (run === undefined) return;
    runs.push(run);
  }
  const unsaved = tab.runs.peek().find(run => run.pages.peek()?.isDirty);
  if (unsaved !== undefined) {
    if (!(await askAboutEdits(unsaved)) || running.peek() !== undefined) return;
    if (currentConnection() !== connection) return;
  }
  const abort = new AbortController();
  closeComparison(tab);
  tab.runs.value = runs;
  tab.shownRun.value = 0;
  const ended = runAll(connection, tab, runs, abort);
  running.value = { tab, abort, ended };
  await ended;
  running.value = undefined;
  await refreshAfter(connection, runs);
}

/** What only reads makes room for the next statement: nobody waits for a million rows to ask for others. */
async function madeRoom(): Promise<boolean> {
  const { tab, abort, ended } = running.peek() ?? {};
  if (tab === undefined || !tab.runs.peek().every(({ sql }) => readsOnly(sql))) return false;
  abort?.abort();
  await ended;
  return true;
}

/** The query behind a plan that was only made, not carried out; undefined where there is none that may be run for it. */
export function measurable({ sql, placeOf }: StatementRun): ScriptPart | undefined {
  const { explained } = outlineOf(sql);
  if (explained === undefined || !readsOnly(sql.slice(explained))) return undefined;
  return { text: `${ANALYZE}${sql.slice(explained)}`, offset: placeOf(explained) - ANALYZE.length };
}

/** Undefined where a parameter of the statement has no value yet. */
function runOf(tab: QueryTab, written: string, offset: number, asPlan: boolean): StatementRun | undefined {
  const full = withValues(tab, written, offset);
  if (full === undefined) return undefined;
  const prefix = asPlan && isExplainable(written) ? EXPLAIN : '';
  const placeOf = (position: number) => offset + full.placeOf(position - prefix.length);
  return new StatementRun(prefix + full.sql, placeOf, prefix.length);
}

/** Rows with edits would make room for others. */
function askAboutEdits(run: StatementRun): Promise<boolean> {
  return new Promise(resolve => {
    dialog.value = {
      kind: 'confirm',
      title: 'Discard edits?',
      text: `The new result replaces these rows. ${summaryOf(editsOf(run))}: none of this is saved.`,
      verb: 'Discard',
      onConfirm: () => resolve(true),
      onCancel: () => resolve(false),
    };
  });
}

async function runAll(
  connection: Connection,
  tab: QueryTab,
  runs: readonly StatementRun[],
  abort: AbortController,
): Promise<void> {
  const { database } = connection.catalog.place.peek();
  let hasFailed = false;
  let mayHaveMoved = false;
  const follow = followerOf(tab);
  for (const [index, run] of runs.entries()) {
    if (abort.signal.aborted || hasFailed) {
      run.skip();
      continue;
    }
    follow.to(index);
    await run.run(connection.session, abort.signal);
    const outcome = run.state.peek();
    hasFailed = outcome === 'failed';
    // Rows are rows of the branch on which the statement ran, which one before it may have chosen.
    if (mayHaveMoved && run.pages.peek() !== undefined) {
      await connection.catalog.refreshPlace(connection.session).catch(() => undefined);
      mayHaveMoved = false;
    }
    mayHaveMoved ||= MOVES.has(outlineOf(run.sql).verb);
    void prepareEditing(run, connection.database, connection.catalog.place.peek()).catch(() => undefined);
    if (outcome !== 'done' && outcome !== 'failed' && outcome !== 'cancelled') continue;
    const entry = { sql: run.sql, database, at: Date.now(), totalMs: run.elapsedMs.peek(), outcome };
    remember({ ...entry, rowCount: run.summary.peek()?.affectedRows || run.rowCount.peek() });
  }
  follow.end();
}

/** Shows the statement that runs, once a frame: of hundreds of short ones not each is drawn. */
function followerOf(tab: QueryTab): { readonly to: (index: number) => void; readonly end: () => void } {
  let latest = 0;
  let frame = 0;
  const show = () => {
    frame = 0;
    tab.shownRun.value = latest;
  };
  return {
    to: index => {
      latest = index;
      if (frame === 0) frame = requestAnimationFrame(show);
    },
    end: () => {
      if (frame === 0) return;
      cancelAnimationFrame(frame);
      show();
    },
  };
}

async function refreshAfter(connection: Connection, runs: readonly StatementRun[]): Promise<void> {
  const changing = runs.filter(run => run.state.peek() !== 'skipped' && !readsOnly(run.sql));
  if (changing.length === 0) return;
  const { catalog, session } = connection;
  const verbs = changing.map(run => ({ verb: outlineOf(run.sql).verb, isDone: run.state.peek() === 'done' }));
  if (verbs.some(({ verb, isDone }) => isDone && verb !== 'USE' && verb !== 'SET')) noteChange(connection);
  const isPlaceOnly = verbs.every(({ verb }) => verb === 'USE');
  // The tree shows what it can; a failure here was already told by the statement itself.
  await (isPlaceOnly ? catalog.refreshPlace(session) : catalog.refresh(session)).catch(() => undefined);
}

export function cancelRunning(): void {
  running.value?.abort.abort();
}
