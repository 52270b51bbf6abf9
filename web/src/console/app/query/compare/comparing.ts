/** Begins the comparison of what a query answers at two commits. */
import { comparingProblem } from '../../../sql/comparable.ts';
import { splitStatements } from '../../../sql/lexer.ts';
import { toast } from '../../../ui/toast.tsx';
import { likelyRange } from '../../database/at_commit.ts';
import { openedConnection } from '../../database/connection.ts';
import { view } from '../../layout_state.ts';
import { editor } from '../editor_host.ts';
import { withValues } from '../parameters.ts';
import { closeComparison, shownTab } from '../query_tabs.ts';

/** Of the statement at the cursor, or of the one that is selected. Where the tab compares already, it stays with its commits. */
export async function compareAnswers(): Promise<void> {
  const tab = shownTab.peek();
  const part = editor.peek()?.part('statement');
  const connection = await openedConnection();
  if (connection === undefined) return toast('Open a database first', 'failure');
  if (tab === undefined || part === undefined) return;
  const [span, ...others] = splitStatements(part.text);
  if (span === undefined) return toast('There is no query to compare', 'failure');
  const written = part.text.slice(span.from, span.to);
  const problem = others.length > 0 ? 'Select a single query to compare' : comparingProblem(written);
  if (problem !== undefined) return toast(problem, 'failure');
  const sql = withValues(tab, written, part.offset + span.from)?.sql;
  if (sql === undefined) return;
  const { AnswerComparison } = await import('./answer_comparison.ts');
  const range = tab.comparison.peek()?.range.peek() ?? likelyRange(connection);
  closeComparison(tab);
  tab.comparison.value = new AnswerComparison(connection, sql, range);
  view.value = 'query';
}
