import { effect, type ReadonlySignal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { IconButton } from '../ui/icon_button.tsx';
import { isPrinting } from '../ui/printing.ts';
import { type Camera, fitted, type Size, showing, zoomed } from './camera.ts';
import { curve, layOut, type Point } from './layout.ts';
import { type Diagram, type DiagramColumn, type DiagramKey, type DiagramTable, tellingColumns } from './model.ts';
import { HEAD_PX, heightOf, rowMiddle, TableBox, WIDTH_PX } from './TableBox.tsx';
import { usePointers } from './use_pointers.ts';

interface ViewProps {
  readonly diagram: Diagram;
  /** Only columns that link tables or changed. */
  readonly isShort: boolean;
  readonly onOpen: (table: string) => void;
}

interface Shown {
  readonly table: DiagramTable;
  readonly columns: readonly DiagramColumn[];
  readonly place: Point;
}

const ZOOM_STEP = 1.25;
const PAN_STEP = 60;
/** At first names can be read, also on a small page. */
const READABLE = 0.6;
/** What a sheet has room for, as `print.css` has it. */
const SHEET: Size = { width: 690, height: 900 };

/** Tables and the lines between them, to be moved about. */
export function DiagramView({ diagram, isShort, onOpen }: ViewProps): JSX.Element {
  const frame = useRef<HTMLElement>(null);
  const plane = useRef<HTMLDivElement>(null);
  const camera = useSignal<Camera>({ x: 0, y: 0, scale: 1 });
  const near = useSignal<string | undefined>(undefined);
  const { shown, size } = useMemo(() => arrange(diagram, isShort), [diagram, isShort]);
  const viewSize = (): Size => frame.current?.getBoundingClientRect() ?? { width: 0, height: 0 };
  const fit = () => {
    camera.value = fitted(size, viewSize());
  };
  const zoom = (factor: number, at?: Point) => {
    const { width, height } = viewSize();
    camera.value = zoomed(camera.peek(), at ?? { x: width / 2, y: height / 2 }, factor);
  };
  const pan = (x: number, y: number) => {
    const now = camera.peek();
    camera.value = { ...now, x: now.x + x, y: now.y + y };
  };
  usePointers(frame, { pan, zoom });
  // The tables are drawn once; what moves is the plane that they lie on. Before anything is seen, so that nothing jumps.
  useLayoutEffect(() => effect(() => place(plane.current, camera.value)), []);
  useLayoutEffect(() => {
    camera.value = fitted(size, viewSize(), READABLE);
  }, [shown]);
  // At once: who prints does not wait for the next frame.
  useLayoutEffect(
    () =>
      effect(() => {
        if (!isPrinting.value) return;
        const before = camera.peek();
        camera.value = fitted(size, SHEET);
        return () => {
          camera.value = before;
        };
      }),
    [size],
  );
  return (
    <section
      ref={frame}
      class="diagram"
      aria-label="Table diagram"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move what is seen.
      tabIndex={0}
      onKeyDown={event => onKey(event, { fit, zoom, pan })}
      onFocusIn={event => {
        const target = event.target as HTMLElement;
        const table = shown.get(target.dataset.table ?? '');
        near.value = table?.table.name;
        // What is pressed stays under the pointer.
        if (table === undefined || !target.matches(':focus-visible')) return;
        // The browser scrolls to what has the focus; here the camera moves.
        frame.current?.scrollTo(0, 0);
        const box = { ...table.place, width: WIDTH_PX, height: heightOf(table.columns.length) };
        camera.value = showing(camera.peek(), box, viewSize());
      }}
    >
      <div ref={plane} class="diagram-plane">
        <Lines keys={diagram.keys} shown={shown} size={size} near={near.value} />
        {[...shown.values()].map(({ table, columns, place }) => (
          <TableBox
            key={table.name}
            table={table}
            columns={columns}
            place={place}
            isFar={isFar(table.name, near.value, diagram.keys)}
            onNear={isNear => {
              near.value = isNear ? table.name : undefined;
            }}
            onOpen={() => onOpen(table.name)}
          />
        ))}
      </div>
      <div class="diagram-tools">
        <IconButton icon="minus" label="Zoom out" keys="-" onPress={() => zoom(1 / ZOOM_STEP)} />
        <Percent camera={camera} />
        <IconButton icon="plus" label="Zoom in" keys="+" onPress={() => zoom(ZOOM_STEP)} />
        <IconButton icon="expand" label="Show all tables" keys="0" onPress={fit} />
      </div>
    </section>
  );
}

function place(plane: HTMLElement | null, { x, y, scale }: Camera): void {
  if (plane !== null) plane.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
}

function Percent({ camera }: { readonly camera: ReadonlySignal<Camera> }): JSX.Element {
  return <span class="figures">{Math.round(camera.value.scale * 100)}%</span>;
}

function arrange(
  diagram: Diagram,
  isShort: boolean,
): { readonly shown: ReadonlyMap<string, Shown>; readonly size: Size } {
  const tables = diagram.tables.map(table => ({ table, columns: isShort ? tellingColumns(table) : table.columns }));
  const boxes = tables.map(({ table, columns }) => ({
    name: table.name,
    width: WIDTH_PX,
    height: heightOf(columns.length),
  }));
  const lists = new Map(tables.map(({ table, columns }) => [table.name, columns]));
  const { places, ...size } = layOut(
    boxes,
    diagram.keys.map(({ table, columns, toTable, toColumns }) => ({
      from: table,
      to: toTable,
      fromEnd: endOf(lists.get(table) ?? [], columns[0]),
      toEnd: endOf(lists.get(toTable) ?? [], toColumns[0]),
    })),
  );
  const shown = tables.map((one): [string, Shown] => [
    one.table.name,
    { ...one, place: places.get(one.table.name) ?? { x: 0, y: 0 } },
  ]);
  // Who goes through them by keys goes as the eye does: column by column, from the top.
  shown.sort(([, { place: one }], [, { place: other }]) => one.x - other.x || one.y - other.y);
  return { shown: new Map(shown), size };
}

/** Another one is looked at, which has nothing to do with it. */
function isFar(name: string, near: string | undefined, keys: readonly DiagramKey[]): boolean {
  if (near === undefined || near === name) return false;
  return !keys.some(
    ({ table, toTable }) => (table === near && toTable === name) || (table === name && toTable === near),
  );
}

interface LinesProps {
  readonly keys: readonly DiagramKey[];
  readonly shown: ReadonlyMap<string, Shown>;
  readonly size: Size;
  readonly near: string | undefined;
}

/** Below the tables: each line ends at the columns that it links, many rows at the one end, one row at the other. */
function Lines({ keys, shown, size, near }: LinesProps): JSX.Element {
  return (
    <svg class="diagram-lines" width={size.width} height={size.height} aria-hidden="true">
      {keys.map(key => {
        const from = shown.get(key.table);
        const to = shown.get(key.toTable);
        if (from === undefined || to === undefined) return null;
        const start = { ...end(from, key.columns[0]), width: WIDTH_PX };
        const target = { ...end(to, key.toColumns[0]), width: WIDTH_PX };
        const isNear = near === key.table || near === key.toTable;
        const look = ['diagram-line', key.change, isNear ? 'is-near' : near === undefined ? '' : 'is-far'];
        const isLeft = start.x >= target.x + WIDTH_PX;
        const foot = isLeft ? start.x : start.x + WIDTH_PX;
        const side = isLeft ? -1 : 1;
        return (
          <g key={`${key.table} ${key.columns} ${key.toTable} ${key.toColumns}`} class={look.filter(Boolean).join(' ')}>
            <path d={curve(start, target)} />
            <path d={`M${foot} ${start.y - 4}L${foot + 8 * side} ${start.y}L${foot} ${start.y + 4}`} />
            <circle cx={target.x + WIDTH_PX} cy={target.y} r="2.5" />
          </g>
        );
      })}
    </svg>
  );
}

/** Where a line meets a table: at its column, or at its head where that is not shown. */
function end({ columns, place }: Shown, column: string | undefined): Point {
  return { x: place.x, y: place.y + heightAt(columns, column) };
}

function heightAt(columns: readonly DiagramColumn[], column: string | undefined): number {
  const row = columns.findIndex(({ name }) => name.toLowerCase() === column?.toLowerCase());
  return row < 0 ? HEAD_PX / 2 : rowMiddle(row);
}

/** The same as a part of the height of the box, from its middle. */
function endOf(columns: readonly DiagramColumn[], column: string | undefined): number {
  return heightAt(columns, column) / heightOf(columns.length) - 0.5;
}

interface Moves {
  readonly fit: () => void;
  readonly zoom: (factor: number) => void;
  readonly pan: (x: number, y: number) => void;
}

function onKey(event: KeyboardEvent, { fit, zoom, pan }: Moves): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const moves: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => pan(PAN_STEP, 0),
    ArrowRight: () => pan(-PAN_STEP, 0),
    ArrowUp: () => pan(0, PAN_STEP),
    ArrowDown: () => pan(0, -PAN_STEP),
    '+': () => zoom(ZOOM_STEP),
    '=': () => zoom(ZOOM_STEP),
    '-': () => zoom(1 / ZOOM_STEP),
    0: fit,
  };
  const move = moves[event.key];
  if (move === undefined) return;
  event.preventDefault();
  move();
}
