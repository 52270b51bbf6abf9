/** The active cell and the selected rectangle of a grid. Pure. */

export interface Cell {
  readonly row: number;
  readonly column: number;
}

export interface Selection {
  /** Where the selection began. */
  readonly anchor: Cell;
  /** The active cell: where it ends, and where the keyboard is. */
  readonly focus: Cell;
}

export interface Rectangle {
  readonly firstRow: number;
  readonly endRow: number;
  readonly firstColumn: number;
  readonly endColumn: number;
}

export interface Size {
  readonly rows: number;
  readonly columns: number;
}

export function select(cell: Cell): Selection {
  return { anchor: cell, focus: cell };
}

export function extend(selection: Selection, focus: Cell): Selection {
  return { anchor: selection.anchor, focus };
}

/** Rows `from` to `to` whole. The active cell keeps its column. */
export function selectRows(from: number, to: number, { columns }: Size): Selection {
  return { anchor: { row: from, column: columns - 1 }, focus: { row: to, column: 0 } };
}

export function selectAll({ rows, columns }: Size): Selection {
  return { anchor: { row: rows - 1, column: columns - 1 }, focus: { row: 0, column: 0 } };
}

export function rectangle({ anchor, focus }: Selection): Rectangle {
  return {
    firstRow: Math.min(anchor.row, focus.row),
    endRow: Math.max(anchor.row, focus.row) + 1,
    firstColumn: Math.min(anchor.column, focus.column),
    endColumn: Math.max(anchor.column, focus.column) + 1,
  };
}

export function isInside(area: Rectangle, row: number, column: number): boolean {
  return row >= area.firstRow && row < area.endRow && column >= area.firstColumn && column < area.endColumn;
}

export function cellCount(area: Rectangle): number {
  return (area.endRow - area.firstRow) * (area.endColumn - area.firstColumn);
}

export interface Stroke {
  readonly key: string;
  /** Ctrl or Cmd. */
  readonly jump: boolean;
}

/** Where a navigation key leads from `cell`; undefined when the key is not one. `page` is the number of rows on the screen. */
export function moveBy(cell: Cell, { key, jump }: Stroke, size: Size, page: number): Cell | undefined {
  const lastRow = size.rows - 1;
  const lastColumn = size.columns - 1;
  const to = (row: number, column: number): Cell => ({
    row: Math.max(0, Math.min(lastRow, row)),
    column: Math.max(0, Math.min(lastColumn, column)),
  });
  switch (key) {
    case 'ArrowUp':
      return to(jump ? 0 : cell.row - 1, cell.column);
    case 'ArrowDown':
      return to(jump ? lastRow : cell.row + 1, cell.column);
    case 'ArrowLeft':
      return to(cell.row, jump ? 0 : cell.column - 1);
    case 'ArrowRight':
      return to(cell.row, jump ? lastColumn : cell.column + 1);
    case 'PageUp':
      return to(cell.row - page, cell.column);
    case 'PageDown':
      return to(cell.row + page, cell.column);
    case 'Home':
      return to(jump ? 0 : cell.row, 0);
    case 'End':
      return to(jump ? lastRow : cell.row, lastColumn);
    default:
      return undefined;
  }
}
