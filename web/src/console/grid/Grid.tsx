import { type ReadonlySignal, useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ResultGrid } from './result_grid.ts';
import type { CellEditing, GridRows } from './rows.ts';
import type { Cell, Selection } from './selection.ts';

interface GridProps {
  readonly pages: GridRows & Partial<CellEditing>;
  /** Changes when rows came. */
  readonly rowCount: ReadonlySignal<number>;
  /** Changes when values are others. */
  readonly version?: ReadonlySignal<number>;
  readonly label: string;
  readonly onReady: (grid: ResultGrid | undefined) => void;
  readonly onActive: (cell: Cell | undefined) => void;
  readonly onOpen: (cell: Cell) => void;
  readonly onSelection: (selection: Selection | undefined) => void;
  readonly onMenu?: (x: number, y: number) => void;
  readonly onRefused?: (reason: string) => void;
}

/** Mounts a `ResultGrid`; another result is another grid. */
export function Grid(props: GridProps): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  const grid = useRef<ResultGrid | undefined>(undefined);
  const latest = useRef(props);
  latest.current = props;

  useEffect(() => {
    const made = new ResultGrid(props.pages, props.label, {
      onActive: cell => latest.current.onActive(cell),
      onOpen: cell => latest.current.onOpen(cell),
      onSelection: selection => latest.current.onSelection(selection),
      onMenu: props.onMenu && ((x, y) => latest.current.onMenu?.(x, y)),
      onRefused: reason => latest.current.onRefused?.(reason),
    });
    host.current?.replaceChildren(made.element);
    grid.current = made;
    latest.current.onReady(made);
    return () => {
      made.destroy();
      grid.current = undefined;
      latest.current.onReady(undefined);
    };
  }, [props.pages, props.label]);

  useSignalEffect(() => {
    void props.rowCount.value;
    void props.version?.value;
    grid.current?.redraw();
  });

  return <div ref={host} class="grid-host" />;
}
