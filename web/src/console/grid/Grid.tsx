import { type ReadonlySignal, useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ResultGrid } from './result_grid.ts';
import type { GridRows } from './rows.ts';
import type { Cell, Selection } from './selection.ts';

interface GridProps {
  readonly pages: GridRows;
  /** Changes when rows came. */
  readonly rowCount: ReadonlySignal<number>;
  readonly label: string;
  readonly onReady: (grid: ResultGrid | undefined) => void;
  readonly onActive: (cell: Cell | undefined) => void;
  readonly onOpen: (cell: Cell) => void;
  readonly onSelection: (selection: Selection | undefined) => void;
  readonly onMenu: (x: number, y: number) => void;
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
      onMenu: (x, y) => latest.current.onMenu(x, y),
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
    grid.current?.rowsChanged();
  });

  return <div ref={host} class="grid-host" />;
}
