/** The points of a chart, out of the rows of a result. Pure. */
import type { ChartChoice } from './choice.ts';
import { type ChartColumn, type ChartRows, KINDS, numberOf, type Role, textAt } from './columns.ts';

export interface Point {
  /** The number of a category, where x has any. */
  readonly x: number;
  readonly y: number;
  /** The number of its colour. */
  readonly group: number;
  readonly xText: string;
}

export interface ChartData {
  readonly choice: ChartChoice;
  readonly xName: string;
  readonly xRole: Role;
  readonly yName: string;
  readonly yRole: Role;
  /** Names of the colours; the last may be `others`. None where there is one colour. */
  readonly groups: readonly string[];
  readonly hasOthers: boolean;
  /** Of bars, in the order of the rows. */
  readonly categories: readonly string[];
  readonly points: readonly Point[];
  /** What is not drawn, in words. */
  readonly notes: readonly string[];
}

/** What is added up is wrong where rows are left out: so many are read. */
const ADDED_ROWS_MAX = 2_000_000;
/** Rows that are points each, from all parts of the result. */
const POINT_ROWS_MAX = 50_000;
export const BARS_MAX = 200;
const POINTS_MAX = 2000;

/** So many rows are read between two looks at the clock. */
const STEP_ROWS = 512;

export function chartData(rows: ChartRows, columns: readonly ChartColumn[], choice: ChartChoice): ChartData {
  const steps = chartSteps(rows, columns, choice);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** As `chartData`, in steps between which a page can do something else. */
export function* chartSteps(
  rows: ChartRows,
  columns: readonly ChartColumn[],
  choice: ChartChoice,
): Generator<void, ChartData> {
  const byIndex = new Map(columns.map(column => [column.index, column]));
  const x = byIndex.get(choice.x);
  const y = choice.y === undefined ? undefined : byIndex.get(choice.y);
  const isSummed = choice.kind !== 'scatter' || choice.y === undefined;
  const end = isSummed ? Math.min(rows.rowCount, ADDED_ROWS_MAX) : rows.rowCount;
  const every = isSummed ? 1 : Math.ceil(end / POINT_ROWS_MAX);
  const { groups, groupOf, hasOthers } = yield* groupsOf(rows, choice.colour, end, every);
  const xRole = choice.kind === 'bar' ? 'text' : (x?.role ?? 'text');
  const read = { rows, end, every, choice, isSummed, xRole, yRole: y?.role ?? 'number', groupOf } as const;
  const { points, isAdded, skipped, categories } = yield* readPoints(read);
  const drawn = thinned(points, choice.kind);
  const oneIn = every * (drawn.length < points.length ? Math.ceil(points.length / POINTS_MAX) : 1);
  const notes = [
    end < rows.rowCount ? `the first ${figure(end)} of ${figure(rows.rowCount)} rows` : '',
    skipped > 0 ? `without ${figure(skipped)} ${skipped === 1 ? 'row that has' : 'rows that have'} no value` : '',
    oneIn > 1 ? `one in ${figure(oneIn)} points` : '',
    categories.length > BARS_MAX ? `the first ${BARS_MAX} of ${figure(categories.length)} bars` : '',
  ].filter(note => note !== '');
  return {
    choice,
    xName: x?.name ?? '',
    xRole,
    yName: y === undefined ? 'rows' : isAdded ? `sum of ${y.name}` : y.name,
    yRole: y?.role ?? 'number',
    groups,
    hasOthers,
    categories: categories.slice(0, BARS_MAX),
    points: categories.length > BARS_MAX ? drawn.filter(({ x: category }) => category < BARS_MAX) : drawn,
    notes,
  };
}

interface Reading {
  readonly rows: ChartRows;
  /** Behind the last row that is read. */
  readonly end: number;
  /** One in so many rows is read: any of them. */
  readonly every: number;
  readonly choice: ChartChoice;
  /** What has the same x and colour is added up. */
  readonly isSummed: boolean;
  readonly xRole: Role;
  readonly yRole: Role;
  readonly groupOf: (row: number) => number;
}

interface Read {
  readonly points: readonly Point[];
  /** Values of several rows were added up. */
  readonly isAdded: boolean;
  readonly skipped: number;
  readonly categories: readonly string[];
}

/** Bars and lines add up what has the same x and colour; points of a scatter stay what they are, unless they are counted. */
function* readPoints({ rows, end, every, choice, isSummed, xRole, yRole, groupOf }: Reading): Generator<void, Read> {
  const categories = new Map<string, number>();
  const points: Point[] = [];
  /** Of each colour, by x. */
  const places = new Map<number, Map<number, number>>();
  let isAdded = false;
  let skipped = 0;
  for (let block = 0, row = oneOf(0, every); row < end; row = oneOf(++block, every)) {
    if (block % STEP_ROWS === 0) yield;
    const xText = textAt(rows, row, choice.x) ?? 'NULL';
    const x = xRole === 'text' ? (categories.get(xText) ?? categories.size) : numberOf(xText, xRole);
    const y = choice.y === undefined ? 1 : numberOf(textAt(rows, row, choice.y), yRole);
    if (x === undefined || y === undefined) {
      skipped += 1;
      continue;
    }
    if (xRole === 'text') categories.set(xText, x);
    const group = groupOf(row);
    const ofGroup = places.get(group) ?? new Map<number, number>();
    places.set(group, ofGroup);
    const place = isSummed ? ofGroup.get(x) : undefined;
    const known = place === undefined ? undefined : points[place];
    if (place === undefined || known === undefined) {
      ofGroup.set(x, points.length);
      points.push({ x, y, group, xText });
    } else {
      isAdded ||= choice.y !== undefined;
      points[place] = { ...known, y: known.y + y };
    }
  }
  if (choice.kind === 'line') points.sort((a, b) => a.group - b.group || a.x - b.x);
  return { points, isAdded, skipped, categories: [...categories.keys()] };
}

interface Groups {
  readonly groups: readonly string[];
  readonly groupOf: (row: number) => number;
  readonly hasOthers: boolean;
}

/** The values that come most often have colours of their own; the others share one. */
function* groupsOf(rows: ChartRows, column: number | undefined, end: number, every: number): Generator<void, Groups> {
  if (column === undefined) return { groups: [], groupOf: () => 0, hasOthers: false };
  const counts = new Map<string, number>();
  for (let block = 0, row = oneOf(0, every); row < end; row = oneOf(++block, every)) {
    if (block % STEP_ROWS === 0) yield;
    const text = textAt(rows, row, column) ?? 'NULL';
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const hasOthers = counts.size > KINDS;
  const often = [...counts].sort((a, b) => b[1] - a[1]).slice(0, KINDS);
  // In the order of the rows, so that the colours stay when counts change a little.
  const names = [...counts.keys()].filter(name => often.some(([one]) => one === name));
  const numbers = new Map(names.map((name, index) => [name, index]));
  return {
    groups: hasOthers ? [...names, 'others'] : names,
    groupOf: (row: number) => numbers.get(textAt(rows, row, column) ?? 'NULL') ?? KINDS,
    hasOthers,
  };
}

/** More points than pixels are slow and show nothing more. */
function thinned(points: readonly Point[], kind: ChartChoice['kind']): readonly Point[] {
  if (kind === 'bar' || points.length <= POINTS_MAX) return points;
  const step = Math.ceil(points.length / POINTS_MAX);
  return Array.from({ length: POINTS_MAX }, (_, block) => points[oneOf(block, step)] ?? []).flat();
}

/**
 * A place in a block of so many places, as if by chance and always the same: of values that come again in every so many rows each has
 * its turn.
 */
function oneOf(block: number, size: number): number {
  if (size === 1) return block;
  const mixed = Math.imul(block ^ (block >>> 15), 0x2c1b3c6d);
  return block * size + (((mixed ^ (mixed >>> 12)) >>> 0) % size);
}

function figure(count: number): string {
  return count.toLocaleString('en-US');
}
