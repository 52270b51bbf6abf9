import type { QueryTab } from './query_tabs.ts';

/** Whoever stood in the rows stands in the chart, and the other way round. */
let isFocusWanted = false;

/** Shows results as charts, or as rows again. */
export function toggleChart(tab: QueryTab): void {
  isFocusWanted = document.activeElement?.closest('.result-body') != null;
  tab.chart.value = tab.chart.peek() === undefined ? {} : undefined;
}

/** Whether what takes the place of the other gets the focus; asked once. */
export function takesFocus(): boolean {
  const isWanted = isFocusWanted;
  isFocusWanted = false;
  return isWanted;
}
