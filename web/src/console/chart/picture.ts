/** Where everything of a chart is drawn. Pure: from points and a size to shapes. */
import type { ChartData, Point } from './data.ts';
import { type Between, longText, numberScale, placeOf, type Scale, timeScale } from './scale.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Label {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly anchor: 'start' | 'middle' | 'end';
  /** Of an axis; a tick otherwise. */
  readonly isTitle?: boolean;
}

/** Something with a value: a bar, or a point. */
export interface Mark {
  readonly shape: 'bar' | 'dot';
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly group: number;
  /** What it stands for. */
  readonly name: string;
  readonly value: string;
}

export interface Picture extends Size {
  readonly grid: readonly { readonly x1: number; readonly y1: number; readonly x2: number; readonly y2: number }[];
  readonly labels: readonly Label[];
  readonly marks: readonly Mark[];
  readonly lines: readonly { readonly group: number; readonly path: string }[];
  /** Points lie close: they are drawn when they are looked at. */
  readonly hidesDots: boolean;
}

/** Of a letter of an axis, which is small. */
const LETTER_PX = 6.2;
const ROW_PX = 24;
const TOP_PX = 26;
const BOTTOM_PX = 40;
const RIGHT_PX = 16;
const DOTS_MAX = 80;
const DOT_PX = 3.5;

export function drawn(data: ChartData, size: Size): Picture {
  if (data.xRole === 'text' && data.choice.kind === 'bar') {
    return isUpright(data, size) ? drawnUpright(data, size) : drawnRows(data, size);
  }
  return drawnPoints(data, size);
}

/** Columns, where their names have room below them. */
function isUpright({ categories }: ChartData, { width, height }: Size): boolean {
  const longest = Math.max(1, ...categories.map(({ length }) => length));
  return height >= 160 && categories.length * Math.max(14, longest * LETTER_PX + 10) <= width - 80;
}

/** Bars from left to right with their names before them: names may be long, and bars many. */
function drawnRows(data: ChartData, { width }: Size): Picture {
  const { categories } = data;
  const longest = Math.max(1, ...categories.map(({ length }) => length));
  const left = Math.min(Math.round(width * 0.4), longest * LETTER_PX + 20);
  const top = TOP_PX + 14;
  const height = top + categories.length * ROW_PX + 8;
  const ends = stackEnds(data.points, categories.length);
  // Room for the longest value behind the longest bar.
  const values = data.groups.length === 0 ? ends.total.map(total => longText(total).length) : [];
  const right = width - Math.max(RIGHT_PX, ...values.map(chars => chars * LETTER_PX + 14));
  const scale = numberScale(
    Math.min(0, ...ends.low),
    Math.max(0, ...ends.high),
    (right - left) / 90,
    betweenOf(data.points, 'y'),
  );
  const at = (value: number) => placeOf(value, scale, left, right);
  const chars = Math.floor((left - 12) / LETTER_PX);
  const rowY = (row: number) => top + row * ROW_PX;
  return {
    width,
    height,
    hidesDots: false,
    lines: [],
    grid: scale.ticks.map(({ value }) => ({ x1: at(value), x2: at(value), y1: top - 4, y2: height - 4 })),
    labels: [
      { ...label(left, 14, data.yName, 'start'), isTitle: true },
      { ...label(left - 8, 14, data.xName, 'end'), isTitle: true },
      ...scale.ticks.map(({ value, text }) => label(at(value), top - 10, text, 'middle')),
      ...categories.map((name, row) => label(left - 8, rowY(row) + 16, clipped(name, chars), 'end')),
      ...(data.groups.length === 0
        ? categories.map((_, row) =>
            label(at(ends.high[row] ?? 0) + 6, rowY(row) + 16, longText(ends.total[row] ?? 0), 'start'),
          )
        : []),
    ],
    marks: stacked(data, (point, from, to) => ({
      x: Math.min(at(from), at(to)),
      width: Math.abs(at(to) - at(from)),
      y: rowY(point.x) + 4,
      height: ROW_PX - 8,
    })),
  };
}

function drawnUpright(data: ChartData, size: Size): Picture {
  const { categories } = data;
  const ends = stackEnds(data.points, categories.length);
  const scale = numberScale(
    Math.min(0, ...ends.low),
    Math.max(0, ...ends.high),
    (size.height - TOP_PX - BOTTOM_PX) / 44,
    betweenOf(data.points, 'y'),
  );
  const frame = frameOf(data, size, scale);
  const step = (frame.right - frame.left) / Math.max(1, categories.length);
  const bar = Math.min(56, step * 0.72);
  const middle = (category: number) => frame.left + (category + 0.5) * step;
  return {
    ...size,
    hidesDots: false,
    lines: [],
    grid: frame.grid,
    labels: [...frame.labels, ...categories.map((name, at) => label(middle(at), frame.bottom + 16, name, 'middle'))],
    marks: stacked(data, (point, from, to) => ({
      x: middle(point.x) - bar / 2,
      width: bar,
      y: Math.min(frame.up(from), frame.up(to)),
      height: Math.abs(frame.up(to) - frame.up(from)),
    })),
  };
}

function drawnPoints(data: ChartData, size: Size): Picture {
  const { points, choice, categories } = data;
  const ys = extent(points.map(({ y }) => y));
  // A line says how much there is; what it says of change is seen from where the values begin.
  const least = choice.kind === 'line' && ys.least > 0 && ys.least < ys.most * 0.6 ? 0 : ys.least;
  const count = (size.height - TOP_PX - BOTTOM_PX) / 44;
  const yScale =
    data.yRole === 'time'
      ? timeScale(least, ys.most, count)
      : numberScale(least, ys.most, count, betweenOf(points, 'y'));
  const frame = frameOf(data, size, yScale);
  const xs = extent(points.map(({ x }) => x));
  const across = Math.max(2, (frame.right - frame.left) / 76);
  const xScale: Scale =
    data.xRole === 'time'
      ? timeScale(xs.least, xs.most, across)
      : data.xRole === 'number'
        ? wholeTicks(numberScale(xs.least, xs.most, across, betweenOf(points, 'x')), points)
        : categoryScale(categories, across);
  const at = (value: number) => placeOf(value, xScale, frame.left + 6, frame.right - 6);
  const marks = points.map((point): Mark => {
    const name = data.groups.length === 0 ? point.xText : `${point.xText}, ${data.groups[point.group]}`;
    const centre = { x: at(point.x) - DOT_PX, y: frame.up(point.y) - DOT_PX };
    const value = data.yRole === 'time' ? new Date(point.y).toISOString().slice(0, 10) : longText(point.y);
    return { shape: 'dot', ...centre, width: DOT_PX * 2, height: DOT_PX * 2, group: point.group, name, value };
  });
  return {
    ...size,
    hidesDots: choice.kind === 'line' && points.length > DOTS_MAX,
    grid: frame.grid,
    labels: [
      ...frame.labels,
      ...xScale.ticks.map(({ value, text }) => label(at(value), frame.bottom + 16, text, 'middle')),
    ],
    marks,
    lines: choice.kind === 'line' ? linesOf(points, at, frame.up) : [],
  };
}

function linesOf(points: readonly Point[], at: (x: number) => number, up: (y: number) => number): Picture['lines'] {
  const paths = new Map<number, string>();
  for (const { x, y, group } of points) {
    const before = paths.get(group);
    paths.set(group, `${before === undefined ? 'M' : `${before}L`}${at(x).toFixed(1)} ${up(y).toFixed(1)}`);
  }
  return [...paths].map(([group, path]) => ({ group, path }));
}

/** The room for marks, with the axis that goes up and the titles of both. */
function frameOf(data: ChartData, { width, height }: Size, scale: Scale) {
  const longest = Math.max(...scale.ticks.map(({ text }) => text.length), 2);
  const left = Math.round(longest * LETTER_PX + 18);
  const right = width - RIGHT_PX;
  const bottom = height - BOTTOM_PX;
  const up = (value: number) => placeOf(value, scale, bottom, TOP_PX);
  const labels: Label[] = [
    ...scale.ticks.map(({ value, text }) => label(left - 8, up(value) + 4, text, 'end')),
    { ...label(8, 14, data.yName, 'start'), isTitle: true },
    { ...label(right, height - 6, data.xName, 'end'), isTitle: true },
  ];
  const grid = scale.ticks.map(({ value }) => ({ x1: left, x2: right, y1: up(value), y2: up(value) }));
  return { left, right, bottom, up, labels, grid };
}

/** Values of one category lie on top of one another, those below zero beneath it. */
function stacked(
  data: ChartData,
  boxOf: (point: Point, from: number, to: number) => Pick<Mark, 'x' | 'y' | 'width' | 'height'>,
): readonly Mark[] {
  const high = new Map<number, number>();
  const low = new Map<number, number>();
  const ordered = [...data.points].sort((a, b) => a.x - b.x || a.group - b.group);
  return ordered.map((point): Mark => {
    const ends = point.y < 0 ? low : high;
    const from = ends.get(point.x) ?? 0;
    ends.set(point.x, from + point.y);
    const name = data.groups.length === 0 ? point.xText : `${point.xText}, ${data.groups[point.group]}`;
    const box = boxOf(point, from, from + point.y);
    return { shape: 'bar', ...box, group: point.group, name, value: longText(point.y) };
  });
}

function stackEnds(points: readonly Point[], categories: number) {
  const [high, low] = [new Array<number>(categories).fill(0), new Array<number>(categories).fill(0)];
  for (const { x, y } of points) {
    const ends = y < 0 ? low : high;
    ends[x] = (ends[x] ?? 0) + y;
  }
  return { high, low, total: high.map((sum, at) => sum + (low[at] ?? 0)) };
}

function categoryScale(categories: readonly string[], count: number): Scale {
  const step = Math.max(1, Math.ceil(categories.length / count));
  const ticks = categories.flatMap((text, value) => (value % step === 0 ? [{ value, text: clipped(text, 12) }] : []));
  return { from: -0.5, to: Math.max(0.5, categories.length - 0.5), ticks };
}

/** Between years there is nothing; and their axis ends where they do. */
function wholeTicks(scale: Scale, points: readonly Point[]): Scale {
  const { least, most } = extent(points.map(({ x }) => x));
  const isWhole =
    least < most && most - least < 400 && least > 999 && most < 10_000 && points.every(({ x }) => Number.isInteger(x));
  if (!isWhole) return scale;
  const ticks = scale.ticks.filter(({ value }) => Number.isInteger(value) && value >= least && value <= most);
  return { from: least, to: most, ticks };
}

/** Where all values are whole ones, as counts are, no tick is between them. */
function betweenOf(points: readonly Point[], axis: 'x' | 'y'): Between {
  return points.every(point => Number.isInteger(point[axis])) ? 'whole' : 'any';
}

/** Of as many values as there are: they are not arguments of one call. */
function extent(values: readonly number[]): { readonly least: number; readonly most: number } {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return values.length === 0 ? { least: 0, most: 1 } : { least, most };
}

function label(x: number, y: number, text: string, anchor: Label['anchor']): Label {
  return { x: Math.round(x * 10) / 10, y: Math.round(y * 10) / 10, text, anchor };
}

function clipped(text: string, chars: number): string {
  return text.length <= chars ? text : `${text.slice(0, Math.max(1, chars - 1))}…`;
}
