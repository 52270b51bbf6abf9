import { isFocusFree } from '../../../ui/focus.ts';
import type { QueryTab } from '../query_tabs.ts';

/** Moves the focus between rows and chart when one replaces the other. */
let isFocusWanted = false;
/** Rows went that had the focus. */
let isFocusLeft = false;

/** Shows results as charts, or as rows again. */
export function toggleChart(tab: QueryTab): void {
  isFocusWanted = document.activeElement?.closest('.result-body') != null;
  tab.chart.value = tab.chart.peek() === undefined ? {} : undefined;
}

/** Keeps the focus in the rows when they are replaced, as by a sort, unless it has moved meanwhile. */
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
