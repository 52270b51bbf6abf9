import type { ComponentChildren, JSX } from 'preact';
import type { GridRows } from '../grid/rows.ts';
import type { Cell } from '../grid/selection.ts';
import { Split } from '../ui/split.tsx';
import { CellPanel } from './CellPanel.tsx';
import { isNarrow, isViewerOpen } from './layout_state.ts';

interface ViewerSplitProps {
  readonly pages: GridRows;
  readonly cell: Cell | undefined;
  /** The grid. */
  readonly children: ComponentChildren;
}

/** A grid, and beside it (below, in a narrow window) the viewer of its active cell. */
export function ViewerSplit({ pages, cell, children }: ViewerSplitProps): JSX.Element {
  return (
    <Split
      key={isNarrow.value ? 'narrow' : 'wide'}
      name={isNarrow.value ? 'viewer.narrow' : 'viewer'}
      direction={isNarrow.value ? 'rows' : 'columns'}
      sized="second"
      initialPx={isNarrow.value ? 220 : 340}
      leastPx={140}
      leavePx={160}
      label="Size of the value viewer"
      isCollapsed={!isViewerOpen.value}
    >
      {children}
      <CellPanel pages={pages} cell={cell} />
    </Split>
  );
}
