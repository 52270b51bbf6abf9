/** What keys and menus do to the rows of a result that can be edited. */
import type { EditedRows } from '../../../grid/edit/edited_rows.ts';
import { pastedCells } from '../../../grid/edit/paste.ts';
import { type Rectangle, rectangle } from '../../../grid/selection.ts';
import { toast } from '../../../ui/toast.tsx';
import { grid } from '../editor_host.ts';

/** More cells than that are no edits by hand: a statement does it. */
const CELLS_MAX = 10_000;

function area(): Rectangle | undefined {
  const selection = grid.peek()?.selection;
  return selection === undefined ? undefined : rectangle(selection);
}

function eachCell(
  { firstRow, endRow, firstColumn, endColumn }: Rectangle,
  work: (row: number, column: number) => void,
) {
  if ((endRow - firstRow) * (endColumn - firstColumn) > CELLS_MAX) {
    toast(`More than ${CELLS_MAX.toLocaleString('en-US')} cells: use a statement`, 'failure');
    return;
  }
  for (let row = firstRow; row < endRow; row += 1) {
    for (let column = firstColumn; column < endColumn; column += 1) work(row, column);
  }
}

/** A new row at the end; the keyboard goes to the first column that has to be given. */
export function addRow(pages: EditedRows, values?: ReadonlyMap<number, string | null>): void {
  const row = pages.addRow(values);
  const rules = pages.rules.peek();
  const wanted = pages.columns.findIndex((_, column) => rules?.placeholder(column) === 'required');
  const first = pages.columns.findIndex((_, column) => rules?.refusal(column) === undefined);
  const cell = { row, column: Math.max(0, wanted >= 0 ? wanted : first) };
  const shown = grid.peek();
  // The grid of a result that had no rows has to come onto the page first.
  if (shown === undefined) requestAnimationFrame(() => grid.peek()?.goTo(cell));
  else shown.goTo(cell);
}

/** A new row with the values of another, but those that the table counts itself. */
export function duplicateRow(pages: EditedRows, row: number): void {
  const rules = pages.rules.peek();
  const values = new Map<number, string | null>();
  pages.columns.forEach((_, column) => {
    const value = pages.text(row, column);
    const isOwn = rules?.placeholder(column) === 'auto';
    if (value !== undefined && rules?.refusal(column) === undefined && !isOwn) values.set(column, value);
  });
  addRow(pages, values);
}

export function deleteSelectedRows(pages: EditedRows): void {
  const rows = area();
  if (rows === undefined) return;
  if (rows.endRow - rows.firstRow > CELLS_MAX)
    toast(`More than ${CELLS_MAX.toLocaleString('en-US')} rows: use a statement`, 'failure');
  else pages.deleteRows(rows.firstRow, rows.endRow);
}

export function nullSelected(pages: EditedRows): void {
  const cells = area();
  if (cells !== undefined) pages.step(() => eachCell(cells, (row, column) => pages.set(row, column, null)));
}

export function revertSelected(pages: EditedRows): void {
  const cells = area();
  if (cells !== undefined) pages.step(() => eachCell(cells, (row, column) => pages.revert(row, column)));
}

export function undoEdit(pages: EditedRows): void {
  // Of what is saved Changes has the undo.
  if (!pages.undo()) toast('Nothing to undo. Saved edits are listed under Changes.', 'notice');
  keepActiveCell(pages);
}

export function redoEdit(pages: EditedRows): void {
  if (!pages.redo()) toast('Nothing to redo', 'notice');
  keepActiveCell(pages);
}

/** The row of the active cell may be gone. */
function keepActiveCell(pages: EditedRows): void {
  const active = grid.peek()?.selection?.focus;
  if (active !== undefined && active.row >= pages.rowCount && pages.rowCount > 0)
    grid.peek()?.show({ ...active, row: pages.rowCount - 1 });
}

/** Values of a spreadsheet from the active cell on; rows that the result does not have become new ones. */
export function pasteText(pages: EditedRows, text: string): void {
  const cells = area();
  if (cells !== undefined) pages.step(() => pasteInto(pages, cells, text));
}

/** The value of a cell that was copied last: it is one value, whatever is in it. */
let copiedValue: string | undefined;

export function noteCopiedValue(text: string | undefined): void {
  copiedValue = text;
}

function pasteInto(pages: EditedRows, cells: Rectangle, text: string): void {
  // Some systems have line ends of their own on the clipboard.
  const isCopied = copiedValue?.replaceAll('\r\n', '\n') === text.replaceAll('\r\n', '\n');
  const lines = isCopied ? [[copiedValue ?? '']] : pastedCells(text);
  const [first] = lines;
  if (lines.length === 1 && first?.length === 1) {
    // A text from elsewhere that has quotes around it means them.
    const value = /[\t\r\n]/.test(text) ? first[0] : text;
    eachCell(cells, (row, column) => pages.set(row, column, value ?? ''));
    return;
  }
  const width = Math.max(...lines.map(line => line.length));
  const to = { ...cells, endRow: cells.firstRow + lines.length, endColumn: cells.firstColumn + width };
  while (pages.rowCount < to.endRow && lines.length <= CELLS_MAX) pages.addRow();
  eachCell(to, (row, column) => {
    const value = lines[row - to.firstRow]?.[column - to.firstColumn];
    if (value === undefined || column >= pages.columns.length) return;
    pages.set(row, column, value ?? (pages.isNullable(column) ? null : ''));
  });
}
