/**
 * Where the tables of a diagram stand: in columns, each to the right of those that it refers to, in an order in which few
 * lines cross. Those that nothing refers to and that refer to nothing stand below, side by side. Pure.
 */

export interface Box {
  readonly name: string;
  readonly width: number;
  readonly height: number;
}

/** From the table that refers to the one that is referred to. Its ends are parts of their heights: 0 is the middle, 0.5 the lower edge. */
export interface Line {
  readonly from: string;
  readonly to: string;
  readonly fromEnd?: number;
  readonly toEnd?: number;
}

/** The other end of a line. */
interface Neighbour {
  readonly name: string;
  readonly end: number;
  /** The end at this side. */
  readonly own: number;
}

type Neighbours = ReadonlyMap<string, readonly Neighbour[]>;

/** Where something is among others, and how much room it has there. */
interface Spot {
  readonly middle: number;
  readonly extent: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly places: ReadonlyMap<string, Point>;
}

const GAP_X = 88;
const GAP_Y = 28;
const SWEEPS = 6;
/** A column of tables is not much higher than the whole is wide, but this high if there is need. */
const COLUMN_LEAST_PX = 1100;

export function layOut(boxes: readonly Box[], lines: readonly Line[]): Layout {
  const links = lines.filter(({ from, to }) => from !== to);
  const linked = new Set(links.flatMap(({ from, to }) => [from, to]));
  const columns = columnsOf(
    boxes.filter(({ name }) => linked.has(name)),
    links,
  );
  const neighbours = neighboursOf(links);
  const places = placeColumns(columns, neighbours);
  const size = sizeOf(boxes, places);
  const alone = boxes.filter(({ name }) => !linked.has(name));
  placeAlone(alone, size, boxes.length, places);
  return { ...sizeOf(boxes, places), places };
}

function neighboursOf(lines: readonly Line[]): Neighbours {
  const found = new Map<string, Neighbour[]>();
  const add = (name: string, neighbour: Neighbour) => found.set(name, [...(found.get(name) ?? []), neighbour]);
  for (const { from, to, fromEnd = 0, toEnd = 0 } of lines) {
    add(from, { name: to, end: toEnd, own: fromEnd });
    add(to, { name: from, end: fromEnd, own: toEnd });
  }
  return found;
}

/** Layers from left to right; one that would be too high is several columns. */
function columnsOf(boxes: readonly Box[], lines: readonly Line[]): Box[][] {
  const ranks = rank(
    boxes.map(({ name }) => name),
    lines,
  );
  const layers: Box[][] = [];
  for (const box of boxes) {
    const at = ranks.get(box.name) ?? 0;
    while (layers.length <= at) layers.push([]);
    layers[at]?.push(box);
  }
  order(layers, neighboursOf(lines));
  const area = boxes.reduce((sum, { width, height }) => sum + (width + GAP_X) * (height + GAP_Y), 0);
  const heightMax = Math.max(COLUMN_LEAST_PX, 1.2 * Math.sqrt(area));
  return layers.flatMap(layer => split(layer, heightMax));
}

/** A table is right of the tables that it refers to, cycles apart; one without references is next to the first table that needs it. */
function rank(names: readonly string[], lines: readonly Line[]): ReadonlyMap<string, number> {
  const targets = new Map(names.map(name => [name, lines.filter(({ from }) => from === name).map(({ to }) => to)]));
  const ranks = new Map<string, number>();
  const open = new Set<string>();
  const visit = (name: string): number => {
    const known = ranks.get(name);
    if (known !== undefined) return known;
    open.add(name);
    let found = 0;
    // A cycle: it has to start at one of its tables.
    for (const to of targets.get(name) ?? []) if (!open.has(to)) found = Math.max(found, visit(to) + 1);
    open.delete(name);
    ranks.set(name, found);
    return found;
  };
  for (const name of names) visit(name);
  for (const name of names) {
    if ((targets.get(name) ?? []).length > 0) continue;
    const users = lines.filter(({ to }) => to === name).map(({ from }) => ranks.get(from) ?? 0);
    ranks.set(name, Math.max(0, Math.min(...users) - 1));
  }
  return ranks;
}

/** Sorts each layer by where its neighbours stand, to and fro. */
function order(layers: Box[][], neighbours: Neighbours): void {
  const spots = new Map<string, Spot>();
  const note = (layer: readonly Box[]) => {
    for (const [index, { name }] of layer.entries())
      spots.set(name, { middle: (index + 0.5) / layer.length, extent: 1 / layer.length });
  };
  layers.forEach(note);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    for (const layer of sweep % 2 === 0 ? layers : layers.toReversed()) {
      const wishes = new Map(layer.map(({ name }) => [name, wishOf(name, neighbours, spots)]));
      layer.sort((a, b) => (wishes.get(a.name) ?? 0) - (wishes.get(b.name) ?? 0));
      note(layer);
    }
  }
}

/**
 * The middle at which the lines of a table would be as even as they can.
 *
 * @param extent of the table itself, where it counts at which of its columns a line ends
 */
function wishOf(name: string, neighbours: Neighbours, spots: ReadonlyMap<string, Spot>, extent = 0): number {
  const middle = spots.get(name)?.middle ?? 0;
  const found = (neighbours.get(name) ?? []).map(({ name, end, own }) => {
    const other = spots.get(name) ?? { middle, extent: 0 };
    return other.middle + end * other.extent - own * extent;
  });
  return found.length === 0 ? middle : found.reduce((sum, one) => sum + one, 0) / found.length;
}

function heightOf(column: readonly Box[]): number {
  return column.reduce((sum, { height }) => sum + height + GAP_Y, -GAP_Y);
}

function split(layer: readonly Box[], heightMax: number): Box[][] {
  const columns: Box[][] = [[]];
  const share = heightOf(layer) / Math.ceil(heightOf(layer) / heightMax);
  for (const box of layer) {
    const last = columns.at(-1) as Box[];
    if (last.length > 0 && heightOf(last) + GAP_Y + box.height / 2 > share) columns.push([box]);
    else last.push(box);
  }
  return columns;
}

/** Puts each table at the height of its neighbours, as far as those above and below it let it. */
function placeColumns(columns: readonly Box[][], neighbours: Neighbours): Map<string, Point> {
  const spots = new Map<string, Spot>();
  const tallest = Math.max(0, ...columns.map(heightOf));
  for (const column of columns) {
    let y = (tallest - heightOf(column)) / 2;
    for (const { name, height } of column) {
      spots.set(name, { middle: y + height / 2, extent: height });
      y += height + GAP_Y;
    }
  }
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    for (const column of sweep % 2 === 0 ? columns : columns.toReversed()) settle(column, neighbours, spots, tallest);
  }
  const topOf = ({ name, height }: Box) => (spots.get(name)?.middle ?? 0) - height / 2;
  const top = Math.min(...columns.flatMap(column => column.map(box => topOf(box))));
  const places = new Map<string, Point>();
  let x = 0;
  for (const column of columns) {
    for (const box of column) places.set(box.name, { x, y: topOf(box) - top });
    x += Math.max(0, ...column.map(({ width }) => width)) + GAP_X;
  }
  return places;
}

/**
 * Keeps the order of a column and the gaps in it, between 0 and the height of the tallest column: halfway between where
 * its tables come to stand when they make room downwards, and when they make room upwards.
 */
function settle(column: readonly Box[], neighbours: Neighbours, spots: Map<string, Spot>, tallest: number): void {
  const wishes = column.map(({ name, height }) => wishOf(name, neighbours, spots, height));
  const middles = column.map(() => 0);
  const go = (indices: readonly number[], towards: 1 | -1) => {
    let end = Number.NEGATIVE_INFINITY;
    for (const index of indices) {
      const half = (column[index]?.height ?? 0) / 2;
      const middle = Math.max(towards * (wishes[index] ?? 0), end + GAP_Y + half);
      end = middle + half;
      middles[index] = (middles[index] ?? 0) + (towards * middle) / 2;
    }
  };
  const indices = [...column.keys()];
  go(indices, 1);
  go(indices.toReversed(), -1);
  for (const [index, { name, height }] of column.entries()) {
    const above = heightOf(column.slice(0, index + 1)) - height / 2;
    const below = tallest - heightOf(column.slice(index)) + height / 2;
    spots.set(name, { middle: Math.min(Math.max(middles[index] ?? 0, above), below), extent: height });
  }
}

/** In columns of about the same height. */
function placeAlone(
  boxes: readonly Box[],
  above: { width: number; height: number },
  all: number,
  places: Map<string, Point>,
): void {
  const widest = Math.max(0, ...boxes.map(({ width }) => width)) + GAP_Y;
  const count = Math.max(1, Math.floor((above.width + GAP_Y) / widest), Math.ceil(Math.sqrt(all)));
  const ends = new Array<number>(Math.min(count, boxes.length)).fill(above.height === 0 ? 0 : above.height + 2 * GAP_Y);
  for (const { name, height } of boxes) {
    const column = ends.indexOf(Math.min(...ends));
    const y = ends[column] ?? 0;
    places.set(name, { x: column * widest, y });
    ends[column] = y + height + GAP_Y;
  }
}

function sizeOf(
  boxes: readonly Box[],
  places: ReadonlyMap<string, Point>,
): { readonly width: number; readonly height: number } {
  let width = 0;
  let height = 0;
  for (const box of boxes) {
    const place = places.get(box.name);
    if (place === undefined) continue;
    width = Math.max(width, place.x + box.width);
    height = Math.max(height, place.y + box.height);
  }
  return { width, height };
}

/** Sides of a line between two tables: a curve from the table that refers to the one that is referred to. */
export function curve(from: Point & { readonly width: number }, to: Point & { readonly width: number }): string {
  if (from.x >= to.x + to.width) {
    const start = from.x;
    const end = to.x + to.width;
    const bend = Math.max(32, (start - end) / 2);
    return `M${start} ${from.y}C${start - bend} ${from.y} ${end + bend} ${to.y} ${end} ${to.y}`;
  }
  // In one column, or back to the right: around the right side of both.
  const start = from.x + from.width;
  const end = to.x + to.width;
  const out = Math.max(start, end) + GAP_X / 2;
  return `M${start} ${from.y}C${out} ${from.y} ${out} ${to.y} ${end} ${to.y}`;
}
