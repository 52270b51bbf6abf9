/** One row with its columns below each other, for tables that are wider than the screen. */
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { counted, wholeNumber } from '../../ui/figures.ts';
import { IconButton } from '../../ui/icon_button.tsx';
import type { GridRows } from '../rows.ts';
import type { Cell } from '../selection.ts';

interface RowProps {
  readonly rows: GridRows;
  readonly cell: Cell;
  readonly onGo: (cell: Cell) => void;
}

/** More columns than that are looked for by their names. */
const FILTER_FROM = 12;

export function RowView({ rows, cell, onGo }: RowProps): JSX.Element {
  const sought = useSignal('');
  const list = useRef<HTMLDListElement>(null);
  const words = sought.value.trim().toLowerCase();
  const shown = rows.columns
    .map((column, index) => ({ column, index }))
    .filter(({ column }) => column.name.toLowerCase().includes(words));
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [cell.column]);
  const goTo = (row: number) => onGo({ row, column: cell.column });
  return (
    <div class="viewer">
      <div class="viewer-facts">
        <IconButton
          icon="chevronDown"
          label="Previous row"
          isUp
          isDisabled={cell.row === 0}
          onPress={() => goTo(cell.row - 1)}
        />
        <IconButton
          icon="chevronDown"
          label="Next row"
          isDisabled={cell.row + 1 >= rows.rowCount}
          onPress={() => goTo(cell.row + 1)}
        />
        <span class="figures">{placeOf(rows, cell.row)}</span>
        {rows.columns.length >= FILTER_FROM && (
          <input
            class="field"
            type="search"
            placeholder="Filter columns"
            aria-label="Filter columns"
            spellcheck={false}
            value={sought.value}
            onInput={event => (sought.value = event.currentTarget.value)}
          />
        )}
      </div>
      <dl ref={list} class="row-view">
        {shown.map(({ column, index }) => {
          const view = rows.view(cell.row, index);
          const isBytes = view?.look === 'bytes' || column.kind === 'geometry';
          const text = (isBytes || view?.look === 'null' ? undefined : rows.text(cell.row, index)) ?? view?.text ?? '';
          return (
            <div key={index} aria-current={index === cell.column ? true : undefined}>
              <dt title={column.type}>
                <button
                  type="button"
                  class={column.primaryKey ? 'grid-column-name is-key' : 'grid-column-name'}
                  onClick={() => onGo({ row: cell.row, column: index })}
                >
                  {column.name}
                </button>
                <span class="grid-column-type">{column.type}</span>
              </dt>
              <dd class={`${view?.look ?? ''} ${view?.state ?? ''}`}>{clipped(text)}</dd>
            </div>
          );
        })}
        {shown.length === 0 && <p class="muted">No matches.</p>}
      </dl>
    </div>
  );
}

/** The rest is in the viewer of the value. */
const CHARACTERS_MAX = 600;

function clipped(text: string): string {
  return text.length > CHARACTERS_MAX ? `${text.slice(0, CHARACTERS_MAX)}…` : text;
}

/** `row 3 of 20`, or of a marked row what the mark means: `After (20 rows)`. */
function placeOf(rows: GridRows, row: number): string {
  const meaning = rows.mark?.(row)?.meaning;
  return meaning === undefined
    ? `row ${wholeNumber(row + 1)} of ${wholeNumber(rows.rowCount)}`
    : `${meaning} (${counted(rows.rowCount, 'row')})`;
}
