/** Count, sum and average of the selected cells. */
import { type Signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { GridRows } from '../../../grid/rows.ts';
import { cellCount, rectangle, type Selection } from '../../../grid/selection.ts';
import { shortNumber, type Totals, totalsOf } from '../../../grid/totals.ts';
import { wholeNumber } from '../../../ui/figures.ts';
import { Fact } from '../RunFacts.tsx';

/** A selection that still grows is not added up. */
const SELECTING_MS = 120;

interface SelectionProps {
  readonly selection: Signal<Selection | undefined>;
  readonly rows: GridRows | undefined;
}

/** How much is selected, and what its numbers come to. */
export function SelectionFacts({ selection, rows }: SelectionProps): JSX.Element | null {
  const totals = useSignal<Totals | undefined>(undefined);
  const selected = selection.value;
  const area = selected === undefined ? undefined : rectangle(selected);
  useEffect(() => {
    totals.value = undefined;
    if (rows === undefined || area === undefined || cellCount(area) < 2) return;
    const timer = setTimeout(() => (totals.value = totalsOf(rows, area)), SELECTING_MS);
    return () => clearTimeout(timer);
  }, [rows, selected]);
  if (area === undefined || cellCount(area) < 2) return null;
  const found = totals.value;
  return (
    <span class="selection-facts figures">
      {found !== undefined && (
        <>
          <Fact label="sum" value={found.sum} />
          <Fact isMinor label="mean" value={shortNumber(found.mean)} />
        </>
      )}
      <span>
        {wholeNumber(area.endRow - area.firstRow)} × {wholeNumber(area.endColumn - area.firstColumn)} selected
      </span>
    </span>
  );
}
