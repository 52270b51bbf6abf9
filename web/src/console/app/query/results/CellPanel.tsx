import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { GridRows } from '../../../grid/rows.ts';
import type { Cell } from '../../../grid/selection.ts';
import { RowView } from '../../../grid/viewer/RowView.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { Segments } from '../../../ui/segments.tsx';
import { copyPlain } from '../../actions.ts';
import { showViewer, viewerScope } from '../../layout_state.ts';

type Viewer = typeof import('../../../grid/viewer/ValueViewer.tsx').ValueViewer;

interface PanelProps {
  readonly pages: GridRows;
  readonly cell: Cell | undefined;
  /** Makes another cell the active one. */
  readonly onGo: (cell: Cell) => void;
}

const SCOPES = [
  { id: 'value', name: 'Value' },
  { id: 'row', name: 'Row' },
] as const;

/** The side panel with the whole value of the active cell, or its row. The viewer's code is loaded when it is first opened. */
export function CellPanel({ pages, cell, onGo }: PanelProps): JSX.Element {
  const loaded = useSignal<{ readonly Viewer: Viewer } | undefined>(undefined);
  useEffect(() => {
    void import('../../../grid/viewer/ValueViewer.tsx').then(({ ValueViewer }) => {
      loaded.value = { Viewer: ValueViewer };
    });
  }, []);
  const column = cell === undefined ? undefined : pages.columns[cell.column];
  const found = cell === undefined ? undefined : pages.locate(cell.row, cell.column);
  const Viewer = loaded.value?.Viewer;
  const isOfRow = viewerScope.value === 'row';
  const text = found?.values.text(found.index) ?? null;
  return (
    <aside class="cell-panel" aria-label="Value">
      <div class="panel-head">
        <Segments
          label="What is shown"
          options={SCOPES}
          chosen={viewerScope.value}
          onChoose={scope => (viewerScope.value = scope)}
        />
        {isOfRow || column === undefined ? (
          <span class="spread" />
        ) : (
          <h2 class="truncate" title={column.name}>
            {column.name}
          </h2>
        )}
        {text !== null && !isOfRow && (
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
            showViewer(false);
          }}
        >
          <Icon name="close" />
        </button>
      </div>
      {cell === undefined || column === undefined ? (
        <Nothing text={`Select a cell to see its whole ${isOfRow ? 'row' : 'value'}.`} />
      ) : isOfRow ? (
        <RowView rows={pages} cell={cell} onGo={onGo} />
      ) : found === undefined ? (
        <Nothing text="This row has no value here." />
      ) : (
        Viewer !== undefined && (
          <Viewer
            key={`${cell.row}:${cell.column}`}
            column={column}
            row={cell.row}
            value={found.values.value(found.index)}
            text={text}
            change={pages.change?.(cell.row, cell.column)}
          />
        )
      )}
    </aside>
  );
}

function Nothing({ text }: { readonly text: string }): JSX.Element {
  return (
    <div class="empty">
      <p>{text}</p>
    </div>
  );
}
