/** What the views and the commands do to the open database. */

import { signal } from '@preact/signals';
import type { RunScope, ScriptPart } from '../editor/editor.ts';
import { type CopyFormat, copyText } from '../grid/copy.ts';
import { cellCount, type Rectangle, rectangle } from '../grid/selection.ts';
import type { Place } from '../schema/model.ts';
import { quoteName, quoteString, revisionName, typedName } from '../sql/names.ts';
import { messageOf } from '../ui/message_of.ts';
import { toast } from '../ui/toast.tsx';
import { currentConnection } from './database/connection.ts';
import { dialog } from './dialogs.ts';
import { isDrawerOpen, isNarrow, view } from './layout_state.ts';
import { noteCopiedValue } from './query/edit/row_commands.ts';
import { editor, grid } from './query/editor_host.ts';
import {
  addTab,
  closeTab,
  hasEdits,
  type QueryTab,
  rename,
  setText,
  shownTab,
  shownTabId,
  tabs,
} from './query/query_tabs.ts';
import { runPart } from './query/running.ts';
import type { StatementRun } from './query/statement_run.ts';

const PREVIEW_ROWS = 1000;
const COPY_CELLS_MAX = 5_000_000;
const FORMAT_NAMES: Readonly<Record<CopyFormat, string>> = {
  tsv: 'TSV',
  csv: 'CSV',
  json: 'JSON',
  markdown: 'Markdown',
  insert: 'INSERT',
};

export function run(scope: RunScope): void {
  const tab = shownTab.peek();
  const part = editor.peek()?.part(scope === 'all' ? 'all' : 'statement');
  if (tab === undefined || part === undefined) return;
  editor.peek()?.markErrors([]);
  void runPart(tab, part, scope === 'explain').then(() => markFailure(tab.runs.peek()));
}

/** Underlines where the engine says that a statement is wrong. */
function markFailure(runs: readonly StatementRun[]): void {
  const marks = runs.flatMap(({ sql, placeOf, error }) => {
    const failure = error.peek();
    if (failure?.position === undefined) return [];
    const word = /^[`\w$]+/.exec(sql.slice(failure.position))?.[0].length ?? 1;
    const from = placeOf(failure.position);
    return [{ from, to: from + Math.max(1, word), message: failure.message }];
  });
  editor.peek()?.markErrors(marks);
}

/** The preview tab of tables, until its text is edited. */
const previewed = signal<{ readonly id: string; readonly text: string } | undefined>(undefined);

/** What a preview tab shows, until its text is edited. */
export function previewOf(tab: QueryTab | undefined): { readonly title: string; readonly sql: string } | undefined {
  const shown = previewed.value;
  if (tab === undefined || tab.id !== shown?.id || tab.text.value !== shown.text) return undefined;
  return { title: tab.title.peek(), sql: shown.text };
}

/** Runs text in a tab: in the one that holds just this text, in the last preview, or in a new one. Gives the tab when it is done. */
export async function runInTab(title: string, sql: string): Promise<QueryTab> {
  view.value = 'query';
  isDrawerOpen.value = false;
  const all = tabs.peek();
  const known = all.find(tab => tab.title.peek() === title && tab.text.peek() === sql);
  const preview = all.find(tab => previewOf(tab) !== undefined);
  const tab = known ?? preview ?? addTab(sql, title, { isOfRows: true });
  if (known === undefined) {
    previewed.value = { id: tab.id, text: sql };
    rename(tab, title);
    setText(tab, sql);
  }
  shownTabId.value = tab.id;
  const part: ScriptPart = { text: sql, offset: 0 };
  await runPart(tab, part);
  markFailure(tab.runs.peek());
  return tab;
}

/** Opens an empty tab in the query view, with the focus in its editor. */
export function newTab(): void {
  view.value = 'query';
  isDrawerOpen.value = false;
  addTab();
  // The editor may come into sight with the next frame.
  requestAnimationFrame(() => editor.peek()?.focus());
}

/** A statement to be looked at before it runs, in a tab of its own. */
export function writeInTab(sql: string): void {
  view.value = 'query';
  isDrawerOpen.value = false;
  const shown = shownTab.peek();
  // A tab with nothing in it is there to be written in.
  if (shown?.text.peek().trim() === '') setText(shown, sql);
  else addTab(sql);
  editor.peek()?.focus();
}

/** How a table is called from where the session is. */
export function nameAt(place: Place, table: string): string {
  const here = currentConnection()?.catalog.place.peek();
  if (here?.database === place.database && here.branch === place.branch) return typedName(table);
  return `${quoteName(revisionName(place.database, place.branch))}.${typedName(table)}`;
}

export function openTable(place: Place, table: string): void {
  runInTab(table, `SELECT * FROM ${nameAt(place, table)} LIMIT ${PREVIEW_ROWS};`);
}

export function insertName(name: string): void {
  view.value = 'query';
  if (isNarrow.peek()) isDrawerOpen.value = false;
  editor.peek()?.insert(typedName(name));
}

/** @param hash of a commit */
export function showTableAt(hash: string, table: string): void {
  const sql = `SELECT * FROM ${typedName(table)} AS OF ${quoteString(hash)} LIMIT ${PREVIEW_ROWS};`;
  runInTab(`${table} as of ${hash.slice(0, 6)}`, sql);
}

/** Closes a tab; edits that are not saved are asked about. */
export function askAndCloseTab(tab: QueryTab): void {
  const close = () => {
    editor.peek()?.forget(tab.id);
    closeTab(tab);
  };
  if (!hasEdits(tab)) {
    close();
    return;
  }
  dialog.value = {
    kind: 'confirm',
    title: `Close ${tab.title.peek()}?`,
    text: 'It has unsaved row edits.',
    verb: 'Close and discard',
    onConfirm: close,
  };
}

export async function selectBranch({ database, branch }: Place): Promise<void> {
  const connection = currentConnection();
  if (connection === undefined) return;
  try {
    await connection.session.query(`USE ${quoteName(revisionName(database, branch))}`);
    await connection.catalog.refreshPlace(connection.session);
  } catch (error) {
    toast(messageOf(error), 'failure');
  }
}

export async function refreshCatalog(): Promise<void> {
  const connection = currentConnection();
  if (connection === undefined) return;
  try {
    await connection.catalog.refresh(connection.session);
  } catch (error) {
    toast(messageOf(error), 'failure');
  }
}

export async function copyPlain(text: string, what = 'Copied'): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(what);
  } catch {
    toast('The browser blocked copying', 'failure');
  }
}

/** Copies the selected cells, or the whole result when none are. */
export function copyResult(run: StatementRun, format: CopyFormat, withHeader: boolean): void {
  const pages = run.pages.peek();
  if (pages === undefined) return;
  const selection = grid.peek()?.selection;
  const whole = { firstRow: 0, endRow: pages.rowCount, firstColumn: 0, endColumn: pages.columns.length };
  const area = selection === undefined ? whole : rectangle(selection);
  const cells = cellCount(area);
  if (cells > COPY_CELLS_MAX) {
    toast('Too much for the clipboard. Select fewer rows, or save them as a file (Copy menu)', 'failure');
    return;
  }
  const shown = columnsCopied(run, area, format);
  const columns = shown.flatMap(column => pages.columns[column] ?? []);
  noteCopiedValue(undefined);
  if (cells === 1 && format === 'tsv' && !withHeader) {
    const value = pages.text(area.firstRow, area.firstColumn) ?? '';
    noteCopiedValue(value);
    void copyPlain(value, 'Copied 1 value');
    return;
  }
  const rows = Array.from({ length: area.endRow - area.firstRow }, (_, row) =>
    shown.map(column => pages.text(area.firstRow + row, column) ?? null),
  );
  const lines = `${rows.length.toLocaleString('en-US')} row${rows.length === 1 ? '' : 's'}`;
  void copyPlain(copyText({ columns, rows }, { format, withHeader }), `Copied ${lines} as ${FORMAT_NAMES[format]}`);
}

/** What the table computes itself no INSERT may give. */
function columnsCopied(run: StatementRun, area: Rectangle, format: CopyFormat): readonly number[] {
  const all = Array.from({ length: area.endColumn - area.firstColumn }, (_, index) => area.firstColumn + index);
  const editing = run.editing.peek();
  if (format !== 'insert' || editing?.kind !== 'table') return all;
  return all.filter(column => editing.fields[column]?.isGenerated !== true);
}
