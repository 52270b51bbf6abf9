/** Progress of the scan that detects column types. */
import type { JSX } from 'preact';
import { counted } from '../../ui/figures.ts';
import type { ColumnPlan } from './column_plan.ts';

/** Fewer are looked at before anybody could read of it. */
const ROWS_AT_ONCE = 20_000;

/** How far the look at all rows is, which says what the columns become. */
export function LookAtRows({ plan }: { readonly plan: ColumnPlan }): JSX.Element | null {
  const state = plan.looking.value;
  if (state === undefined || state.rows < ROWS_AT_ONCE) return null;
  const { rows, bytes, totalBytes } = state;
  const part = totalBytes === undefined || totalBytes === 0 ? '' : `, ${Math.floor((100 * bytes) / totalBytes)} %`;
  return (
    <p class="muted figures" role="status">
      Detecting column types from all rows: {counted(rows, 'row')}
      {part}
    </p>
  );
}
