import { isFocusFree } from '../../../ui/focus.ts';
import type { QueryTab } from '../query_tabs.ts';

/** Whoever stood in the rows stands in the chart, and the other way round. */
let isFocusWanted = false;
/** Rows went that had the focus. */
let isFocusLeft = false;

/** Shows results as charts, or as rows again. */
export function toggleChart(tab: QueryTab): void {
  isFocusWanted = document.activeElement?.closest('.result-body') != null;
  tab.chart.value = tab.chart.peek() === undefined ? {} : undefined;
}

/** Whoever stood in rows that go, as to be sorted, stands in those that come, unless they have gone elsewhere meanwhile. */
export function leaveFocus(): void {
  isFocusLeft = true;
}

/** Whether what takes the place of the other gets the focus; asked once. */
export function takesFocus(): boolean {
  const isWanted = isFocusWanted || (isFocusLeft && isFocusFree());
  isFocusWanted = false;
  isFocusLeft = false;
  return isWanted;
}
