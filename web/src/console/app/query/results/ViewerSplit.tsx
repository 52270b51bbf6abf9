import type { ComponentChildren, JSX } from 'preact';
import type { GridRows } from '../../../grid/rows.ts';
import type { Cell } from '../../../grid/selection.ts';
import { ResponsiveSplit } from '../../../ui/responsive_split.tsx';
import { isUpright, isViewerOpen } from '../../layout_state.ts';
import { CellPanel } from './CellPanel.tsx';

interface ViewerSplitProps {
  readonly pages: GridRows;
  readonly cell: Cell | undefined;
  readonly onGo: (cell: Cell) => void;
  /** The grid. */
  readonly children: ComponentChildren;
}

/** A grid, and beside it (below, in a narrow window) the viewer of its active cell. */
export function ViewerSplit({ pages, cell, onGo, children }: ViewerSplitProps): JSX.Element {
  return (
    <ResponsiveSplit
      name="viewer"
      isNarrow={isUpright.value}
      sized="second"
      wide={{ initialPx: 340, leastPx: 140, leavePx: 160 }}
      narrow={{ initialPx: 220, leastPx: 140, leavePx: 160 }}
      label="Size of the value viewer"
      isCollapsed={!isViewerOpen.value}
    >
      {children}
      <CellPanel pages={pages} cell={cell} onGo={onGo} />
    </ResponsiveSplit>
  );
}
