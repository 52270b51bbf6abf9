/** What the comparing view compares. */
import { signal } from '@preact/signals';
import type { Range } from '../../../versions/RangeFields.tsx';
import { view } from '../../layout_state.ts';

export const NOT_COMMITTED: Range = { from: 'HEAD', to: 'WORKING' };
export const comparedRange = signal(NOT_COMMITTED);
/** The table whose rows are shown; the first that differs where this one does not. */
export const comparedTable = signal('');

export function compare(from: string, to: string, table = ''): void {
  comparedRange.value = { from, to };
  comparedTable.value = table;
  view.value = 'compare';
}
