import type { Column } from '../../../lib/index.ts';
import { geometryText } from '../../sql/geometry.ts';
import { COLUMN_MIN_PX } from '../columns.ts';
import type { GridViewport } from '../grid_viewport.ts';
import type { CellEditing, GridRows } from '../rows.ts';
import { type Cell, type Selection, select } from '../selection.ts';
import { bytesOfHex } from '../viewer/hex.ts';
import { ROW_HEIGHT_PX } from '../viewport.ts';
import { type AfterEdit, CellEditor } from './cell_editor.ts';

/** What a field of several lines with a complaint takes; where there is less below a cell, it opens upwards. */
const EDITOR_ROOM_PX = 140;

/** What editing in place needs of the grid around it. */
export interface EditedGrid {
  readonly change: (selection: Selection) => void;
  readonly draw: () => void;
  readonly focus: () => void;
  readonly onRefused: ((reason: string) => void) | undefined;
}

/** The editing of cells in place: at most one field is open, and goes with its cell. */
export class InPlace {
  readonly #body: HTMLElement;
  readonly #pages: GridRows;
  readonly #sight: GridViewport;
  /** Absent where rows cannot be edited at all. */
  readonly #editing: CellEditing | undefined;
  readonly #grid: EditedGrid;
  #field: CellEditor | undefined;

  constructor(body: HTMLElement, pages: GridRows & Partial<CellEditing>, sight: GridViewport, grid: EditedGrid) {
    this.#body = body;
    this.#pages = pages;
    this.#sight = sight;
    this.#editing = isEditable(pages) ? pages : undefined;
    this.#grid = grid;
  }

  get isPossible(): boolean {
    return this.#editing !== undefined;
  }

  /** Why a cell cannot be written, nothing when the reason is none of the cell's; undefined when it can. */
  refusal({ row, column }: Cell): string | undefined {
    return this.#editing === undefined ? '' : this.#editing.refusal(row, column);
  }

  contains(target: EventTarget | null): boolean {
    return this.#field?.contains(target) === true;
  }

  /** Opens the field over a cell; `typed` begins it. */
  open(cell: Cell, typed?: string): void {
    const editing = this.#editing;
    const column = this.#pages.columns[cell.column];
    this.#field?.finish();
    if (column === undefined || editing === undefined) return;
    const refusal = editing.refusal(cell.row, cell.column);
    if (refusal !== undefined) {
      this.#grid.onRefused?.(refusal);
      return;
    }
    this.#grid.change(select(cell));
    const before = typedForm(column, this.#pages.text(cell.row, cell.column) ?? null);
    const made = new CellEditor(cell, column, before, typed, editing, {
      onTake: (value, then) => {
        this.#close(then === 'stay');
        if (value !== before) editing.set(cell.row, cell.column, value);
        this.#goOn(cell, then);
      },
      onGiveUp: () => this.#close(false),
    });
    this.#field = made;
    this.#body.append(made.element);
    this.place();
    made.focus(typed === undefined);
  }

  /** Puts the field over its cell. */
  place(): void {
    if (this.#field === undefined) return;
    const { row, column } = this.#field.cell;
    this.#field.moveTo({
      left: this.#sight.cellLeft(column),
      top: this.#sight.rowTop(row),
      width: this.#sight.columns.widths[column] ?? COLUMN_MIN_PX,
    });
    const isLow = this.#sight.roomBelow(row) < EDITOR_ROOM_PX && row * ROW_HEIGHT_PX > EDITOR_ROOM_PX;
    this.#field.element.classList.toggle('above', isLow);
  }

  #close(isFocusElsewhere: boolean): void {
    const field = this.#field;
    if (field === undefined) return;
    this.#field = undefined;
    field.element.remove();
    if (!isFocusElsewhere) this.#grid.focus();
    this.#grid.draw();
  }

  /** Enter goes down, Tab edits the next column. */
  #goOn({ row, column }: Cell, then: AfterEdit): void {
    if (then === 'down' && row + 1 < this.#pages.rowCount) this.#grid.change(select({ row: row + 1, column }));
    if (then !== 'right' && then !== 'left') return;
    const step = then === 'right' ? 1 : -1;
    const isThere = (next: number) => next >= 0 && next < this.#pages.columns.length;
    let next = column + step;
    while (isThere(next) && this.refusal({ row, column: next }) !== undefined) next += step;
    if (isThere(next)) this.open({ row, column: next });
  }
}

function isEditable(rows: GridRows & Partial<CellEditing>): rows is GridRows & CellEditing {
  return rows.refusal !== undefined && rows.set !== undefined;
}

/** The text of a value as it is typed: a geometry's bytes say nothing. */
function typedForm({ kind }: Column, text: string | null): string | null {
  if (kind !== 'geometry' || text === null || !/^0x/i.test(text)) return text;
  return geometryText(bytesOfHex(text.slice(2))) ?? text;
}
