import { type ReadonlySignal, useSignal, useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { isPrinting } from '../ui/printing.ts';
import { FindBar } from './find/FindBar.tsx';
import type { Search } from './find/search.ts';
import { PrintedRows } from './PrintedRows.tsx';
import { ResultGrid } from './result_grid.ts';
import type { CellEditing, ColumnOrder, GridRows } from './rows.ts';
import type { Cell, Selection } from './selection.ts';

interface GridProps {
  readonly pages: GridRows & Partial<CellEditing>;
  /** Changes when rows came. */
  readonly rowCount: ReadonlySignal<number>;
  /** Changes when values are others. */
  readonly version?: ReadonlySignal<number>;
  readonly label: string;
  /** The columns by which the rows are in order, the first one first. */
  readonly order?: readonly ColumnOrder[];
  readonly search: Search;
  /** Looks for a text where the rows come from; absent where all of them are here. */
  readonly onFindAll?: ((text: string) => void) | undefined;
  readonly onReady: (grid: ResultGrid | undefined) => void;
  readonly onActive: (cell: Cell | undefined) => void;
  readonly onOpen: (cell: Cell) => void;
  readonly onSelection: (selection: Selection | undefined) => void;
  readonly onMenu?: (x: number, y: number) => void;
  /** A column was pressed twice. */
  readonly onSort?: (column: number) => void;
  readonly onRefused?: (reason: string) => void;
}

/** Mounts a `ResultGrid`; another result is another grid. */
export function Grid(props: GridProps): JSX.Element {
  const frame = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const grid = useSignal<ResultGrid | undefined>(undefined);
  const latest = useRef(props);
  latest.current = props;
  const { search } = props;

  useEffect(() => {
    const made = new ResultGrid(props.pages, props.label, props.order ?? [], {
      onActive: cell => latest.current.onActive(cell),
      onOpen: cell => latest.current.onOpen(cell),
      onSelection: selection => latest.current.onSelection(selection),
      onMenu: props.onMenu && ((x, y) => latest.current.onMenu?.(x, y)),
      onSort: props.onSort && (column => latest.current.onSort?.(column)),
      onRefused: reason => latest.current.onRefused?.(reason),
    });
    host.current?.replaceChildren(made.element);
    grid.value = made;
    latest.current.onReady(made);
    return () => {
      made.destroy();
      grid.value = undefined;
      latest.current.onReady(undefined);
    };
  }, [props.pages, props.label]);

  useSignalEffect(() => {
    void props.rowCount.value;
    void props.version?.value;
    grid.peek()?.redraw();
  });

  // The browser's own search knows only the rows that are drawn.
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isFind =
        (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'f';
      if (!isFind || event.defaultPrevented || !isInReach(frame.current)) return;
      event.preventDefault();
      search.open();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);

  return (
    <div ref={frame} class="grid-frame">
      <div ref={host} class="grid-host" />
      {search.isOpen.value && (
        <FindBar
          rows={props.pages}
          rowCount={props.rowCount}
          version={props.version}
          grid={grid}
          search={search}
          onAll={props.onFindAll}
        />
      )}
      {isPrinting.value && isInReach(frame.current) && <PrintedRows rows={props.pages} />}
    </div>
  );
}

/** On the screen, and with no dialog over it. */
function isInReach(element: HTMLElement | null): boolean {
  return element !== null && element.offsetParent !== null && document.querySelector('dialog:modal') === null;
}
