import { runInTab } from '../../actions.ts';
import { type QueryTab, shownTab } from '../query_tabs.ts';
import type { StatementRun } from '../statement_run.ts';

/** Shows other rows of a query. They may come in a tab of their own: what was asked of them goes along. */
export function showRefined(tab: QueryTab, { title }: StatementRun, sql: string): void {
  void runInTab(title, `${sql};`);
  const shown = shownTab.peek();
  if (shown !== undefined) tab.filter.moveTo(shown.filter);
}
