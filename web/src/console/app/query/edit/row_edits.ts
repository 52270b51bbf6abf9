/** Edits of a result on their way into the table: the statements, and one transaction in which they run. */

import type { Database, Queries } from '../../../../lib/index.ts';
import { quoteName } from '../../../sql/names.ts';
import { type Assignment, currentOf, fieldOf, type RowEdit, statementOf } from '../../../sql/row_edits.ts';
import { counted } from '../../../ui/figures.ts';
import { messageOf } from '../../../ui/message_of.ts';
import { toast } from '../../../ui/toast.tsx';
import { change } from '../../database/changing.ts';
import { currentConnection } from '../../database/connection.ts';
import { grid } from '../editor_host.ts';
import type { QueryTab } from '../query_tabs.ts';
import { StatementRun } from '../statement_run.ts';
import { type EditTarget, editingOf, rulesOf } from './edit_target.ts';

/** Finds out what the rows of a finished run are rows of. */
export async function prepareEditing(
  run: StatementRun,
  database: Database,
  at: { readonly database: string; readonly branch: string },
): Promise<void> {
  const pages = run.pages.peek();
  if (pages === undefined || run.state.peek() !== 'done') return;
  const editing = await editingOf(database, run.sql, pages.columns, at, database.storage.readOnlyReason);
  if (editing.kind === 'table') pages.rules.value = rulesOf(editing);
  run.editing.value = editing;
}

export function targetOf(run: StatementRun): EditTarget | undefined {
  const editing = run.editing.peek();
  return editing?.kind === 'table' ? editing : undefined;
}

/** What the edits of a result do, in the order in which they run. */
export function editsOf(run: StatementRun): readonly RowEdit[] {
  const [target, rows] = [targetOf(run), run.pages.peek()];
  if (target === undefined || rows === undefined) return [];
  const assigned = (column: number, value: string | null): Assignment[] => {
    const field = target.fields[column];
    return field === undefined ? [] : [{ field: field.name, type: field.type, value }];
  };
  const originals = (row: number, columns: Iterable<number>) =>
    [...columns].flatMap(column => assigned(column, rows.original(row, column) ?? null));
  const keys = target.fields.flatMap((field, column) => (field?.isKey ? [column] : []));
  const all = target.fields.flatMap((field, column) => (field === undefined ? [] : [column]));
  return rows.changes().map(({ kind, row, values }) => ({
    kind,
    row,
    key: kind === 'insert' ? [] : originals(row, keys),
    set: [...values].flatMap(([column, value]) => assigned(column, value)),
    before: kind === 'insert' ? [] : originals(row, kind === 'delete' ? all : values.keys()),
  }));
}

export function statementsOf(run: StatementRun): readonly string[] {
  const name = targetOf(run)?.name ?? '';
  return editsOf(run).map(edit => statementOf(name, edit));
}

/** Says what is edited: `2 rows changed, 1 new`. */
export function summaryOf(edits: readonly RowEdit[]): string {
  const count = (kind: RowEdit['kind']) => edits.filter(edit => edit.kind === kind).length;
  const [changed, added, gone] = [count('update'), count('insert'), count('delete')];
  return [
    changed > 0 ? `${counted(changed, 'row')} changed` : '',
    added > 0 ? `${counted(added, 'row')} added` : '',
    gone > 0 ? `${counted(gone, 'row')} deleted` : '',
  ]
    .filter(part => part !== '')
    .join(', ');
}

/** Goes to the first value that does not fit; true when there is one. */
export function showWrongCell(run: StatementRun): boolean {
  const wrong = run.pages.peek()?.wrongCell;
  if (wrong !== undefined) grid.peek()?.goTo(wrong);
  return wrong !== undefined;
}

/** The edit that failed, and why. */
class EditFailure extends Error {
  readonly edit: RowEdit;
  constructor(edit: RowEdit, message: string) {
    super(message);
    this.edit = edit;
  }
}

/** Results whose edits are on their way: a key that is held down saves them once. */
const saving = new WeakSet<StatementRun>();

/** Runs the edits in one transaction: all of them are saved, or none, and the cell at which it failed says why. */
export async function saveEdits(tab: QueryTab, run: StatementRun): Promise<boolean> {
  if (saving.has(run)) return false;
  saving.add(run);
  try {
    return await save(tab, run);
  } finally {
    saving.delete(run);
  }
}

async function save(tab: QueryTab, run: StatementRun): Promise<boolean> {
  const [target, rows] = [targetOf(run), run.pages.peek()];
  if (target === undefined || rows?.isDirty !== true || showWrongCell(run)) return false;
  const edits = editsOf(run);
  let failure: EditFailure | undefined;
  const done = await change(async database => {
    try {
      await inOneTransaction(database, target, edits);
    } catch (error) {
      if (!(error instanceof EditFailure)) throw error;
      failure = error;
    }
  });
  if (failure !== undefined) showFailure(run, target, failure);
  if (done === undefined || failure !== undefined) return false;
  toast(`Saved: ${summaryOf(edits)}`);
  rows.settle();
  await readAgain(tab, run);
  return true;
}

async function inOneTransaction(database: Database, target: EditTarget, edits: readonly RowEdit[]): Promise<void> {
  // Of its own, so that a transaction that the person's statements have begun is left alone.
  await using session = await database.session();
  await session.query(`USE ${quoteName(target.place)}`);
  await session.query('START TRANSACTION');
  let last = edits[0];
  try {
    for (const edit of edits) {
      last = edit;
      await checkUnchanged(session, target, edit);
      await session.query(statementOf(target.name, edit));
    }
    await session.query('COMMIT');
  } catch (error) {
    await session.query('ROLLBACK').catch(() => undefined);
    if (last === undefined || error instanceof EditFailure) throw error;
    throw new EditFailure(last, messageOf(error));
  }
}

/** Concurrent changes since the rows were read are not overwritten. */
async function checkUnchanged(session: Queries, target: EditTarget, edit: RowEdit): Promise<void> {
  if (edit.before.length === 0) return;
  const { batches, columns } = await session.query(currentOf(target.name, edit));
  const batch = batches.find(({ rowCount }) => rowCount > 0);
  if (batch === undefined) throw new EditFailure(edit, 'The row no longer exists. Run the query again.');
  const other = columns.findIndex((_, index) => batch.column(index).text(0) !== (edit.before[index]?.value ?? null));
  if (other < 0) return;
  const value = batch.column(other).text(0) ?? 'NULL';
  const name = edit.before[other]?.field ?? '';
  throw new EditFailure(edit, `Column '${name}' has meanwhile changed to ${value}. Run the query again.`);
}

function showFailure(run: StatementRun, target: EditTarget, { edit, message }: EditFailure): void {
  const rows = run.pages.peek();
  if (rows === undefined) return;
  const field = fieldOf(message, edit);
  const found = target.fields.findIndex(one => one !== undefined && one.name === field);
  rows.failure.value = { row: edit.row, column: found < 0 ? undefined : found, message };
  rows.version.value += 1;
  grid.peek()?.goTo({ row: edit.row, column: Math.max(0, found) });
}

/** Puts the rows as they are now in the place of those that were edited; the person stays where they were. */
async function readAgain(tab: QueryTab, run: StatementRun): Promise<void> {
  const connection = currentConnection();
  if (connection === undefined) return;
  const next = new StatementRun(run.sql, run.placeOf);
  const at = connection.catalog.place.peek();
  await next.run(connection.session, new AbortController().signal);
  await prepareEditing(next, connection.database, at).catch(() => undefined);
  next.gridPlace = grid.peek()?.keep();
  tab.runs.value = tab.runs.peek().map(other => (other === run ? next : other));
}
