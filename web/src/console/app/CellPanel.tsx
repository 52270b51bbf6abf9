import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { GridRows } from '../grid/rows.ts';
import type { Cell } from '../grid/selection.ts';
import { Icon } from '../ui/icons.tsx';
import { copyPlain } from './actions.ts';
import { isViewerOpen } from './layout_state.ts';

type Viewer = typeof import('../grid/ValueViewer.tsx').ValueViewer;

/** The side panel with the whole value of the active cell. The viewer's code is loaded when it is first opened. */
export function CellPanel({ pages, cell }: { readonly pages: GridRows; readonly cell: Cell | undefined }): JSX.Element {
  const loaded = useSignal<{ readonly Viewer: Viewer } | undefined>(undefined);
  useEffect(() => {
    void import('../grid/ValueViewer.tsx').then(({ ValueViewer }) => {
      loaded.value = { Viewer: ValueViewer };
    });
  }, []);
  const column = cell === undefined ? undefined : pages.columns[cell.column];
  const found = cell === undefined ? undefined : pages.locate(cell.row, cell.column);
  const Viewer = loaded.value?.Viewer;
  const text = found?.values.text(found.index) ?? null;
  return (
    <aside class="cell-panel" aria-label="Value">
      <div class="panel-head">
        <h2 class="truncate">{column?.name ?? 'Value'}</h2>
        {text !== null && (
          <button
            type="button"
            class="button quiet small icon-only"
            aria-label="Copy the value"
            title="Copy the value"
            onClick={() => void copyPlain(text, 'Copied the value')}
          >
            <Icon name="copy" />
          </button>
        )}
        <button
          type="button"
          class="button quiet small icon-only"
          aria-label="Close the viewer"
          onClick={() => {
            isViewerOpen.value = false;
          }}
        >
          <Icon name="close" />
        </button>
      </div>
      {cell === undefined || column === undefined || found === undefined ? (
        <div class="empty">
          <p>Choose a cell to see its whole value.</p>
        </div>
      ) : (
        Viewer !== undefined && (
          <Viewer
            key={`${cell.row}:${cell.column}`}
            column={column}
            row={cell.row}
            value={found.values.value(found.index)}
            text={text}
          />
        )
      )}
    </aside>
  );
}
