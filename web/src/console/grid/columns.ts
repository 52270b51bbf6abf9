/** Widths and places of the grid's columns. Pure arithmetic, CSS pixels. */

export const COLUMN_MIN_PX = 48;
/** No column starts wider than this: one long text must not push the others off the screen. */
export const COLUMN_AUTO_MAX_PX = 360;
export const COLUMN_MAX_PX = 2000;
/** Cell padding on both sides and the line on the right. */
const CELL_EXTRA_PX = 21;
/** Key mark or sort room beside a header's name. */
const HEADER_EXTRA_PX = 26;

export interface ColumnLayout {
  readonly widths: readonly number[];
  /** One more than there are columns: the last is the total width. */
  readonly lefts: readonly number[];
}

export interface TextMetrics {
  /** Width of one monospaced character of a cell. */
  readonly cellCharPx: number;
  /** Mean width of a character of a header's name. */
  readonly headerCharPx: number;
  /** Mean width of a character of a header's type. */
  readonly typeCharPx: number;
}

/** The type as a header has room for it: by which rules texts are compared, and which values there are, its tooltip says. */
export function shortType(type: string): string {
  return type.replace(/( CHARACTER SET \w+)?( COLLATE \w+)?$/i, '').replace(/^(enum|set)\(.*\)$/is, '$1(…)');
}

/** The width that shows the header and the sampled cells whole, within the limits. `cellChars` counts characters. */
export function autoWidth(nameChars: number, typeChars: number, cellChars: number, metrics: TextMetrics): number {
  const header = Math.max(nameChars * metrics.headerCharPx + HEADER_EXTRA_PX, typeChars * metrics.typeCharPx);
  const widest = Math.max(Math.min(header, 220), cellChars * metrics.cellCharPx) + CELL_EXTRA_PX;
  // Up, because a cell that is a fraction of a pixel short is drawn with an ellipsis.
  return Math.ceil(Math.min(COLUMN_AUTO_MAX_PX, Math.max(COLUMN_MIN_PX, widest)));
}

const INTEGER_CHARS: readonly (readonly [RegExp, number])[] = [
  [/^tinyint\(1\)/, 2],
  [/^tinyint/, 4],
  [/^(smallint|year)/, 6],
  [/^(mediumint|int)/, 8],
  [/^bigint/, 10],
];

/**
 * Characters to keep room for whatever the first rows say. Numbers grow further down in a result, and one that is cut
 * reads as another number.
 */
export function leastChars(type: string): number {
  return INTEGER_CHARS.find(([pattern]) => pattern.test(type))?.[1] ?? 4;
}

export function layout(widths: readonly number[]): ColumnLayout {
  const lefts = [0];
  let left = 0;
  for (const width of widths) {
    left += width;
    lefts.push(left);
  }
  return { widths, lefts };
}

/** Up to `count` of `rows` rows, evenly over all of them, the first and the last among them. */
export function spread(rows: number, count: number): number[] {
  const taken = Math.min(rows, count);
  if (taken < 2) return taken === 1 ? [rows - 1] : [];
  return Array.from({ length: taken }, (_, index) => Math.round((index * (rows - 1)) / (taken - 1)));
}

export function totalWidth({ lefts }: ColumnLayout): number {
  return lefts[lefts.length - 1] ?? 0;
}

export function resize({ widths }: ColumnLayout, column: number, widthPx: number): ColumnLayout {
  const width = Math.round(Math.max(COLUMN_MIN_PX, Math.min(COLUMN_MAX_PX, widthPx)));
  return layout(widths.map((old, index) => (index === column ? width : old)));
}

/** Index of the column at `x`, or the last one when `x` is behind it; -1 when there is none. */
export function columnAt({ lefts }: ColumnLayout, x: number): number {
  let low = 0;
  let high = lefts.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lefts[middle] ?? 0) <= x) low = middle;
    else high = middle - 1;
  }
  return high < 0 ? -1 : low;
}

/** Columns that touch `[scrollLeft, scrollLeft + widthPx)`, with one more on each side. */
export function columnWindow(columns: ColumnLayout, scrollLeft: number, widthPx: number) {
  const count = columns.widths.length;
  if (count === 0) return { first: 0, end: 0 };
  const first = Math.max(0, columnAt(columns, scrollLeft) - 1);
  const end = Math.min(count, columnAt(columns, scrollLeft + widthPx) + 2);
  return { first, end };
}

/** The scroll position that shows a column whole (or its start, when it is wider than the screen). */
export function revealColumn(columns: ColumnLayout, column: number, scrollLeft: number, widthPx: number): number {
  const left = columns.lefts[column] ?? 0;
  const right = columns.lefts[column + 1] ?? left;
  if (left < scrollLeft) return left;
  if (right > scrollLeft + widthPx) return Math.min(left, right - widthPx);
  return scrollLeft;
}
