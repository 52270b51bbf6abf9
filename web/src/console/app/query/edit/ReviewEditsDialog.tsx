/** The statements of pending edits, before they run. */
import type { JSX } from 'preact';
import { counted } from '../../../ui/figures.ts';
import { Form } from '../../../ui/form.tsx';
import { copyPlain } from '../../actions.ts';
import { isChanging } from '../../database/changing.ts';
import { closeDialog } from '../../dialogs.ts';
import type { QueryTab } from '../query_tabs.ts';
import type { StatementRun } from '../statement_run.ts';
import { editsOf, saveEdits, statementsOf, summaryOf, targetOf } from './row_edits.ts';

/** Limit of listed statements; the rest is a number. */
const SHOWN_MAX = 500;

interface ReviewProps {
  readonly run: StatementRun;
  readonly tab: QueryTab;
}

/** The statements that save the edits of a result. */
export function ReviewEditsDialog({ run, tab }: ReviewProps): JSX.Element {
  const statements = statementsOf(run);
  const target = targetOf(run);
  const script = `START TRANSACTION;\n${statements.map(sql => `${sql};`).join('\n')}\nCOMMIT;\n`;
  return (
    <Form onSubmit={() => saveEdits(tab, run).then(closeDialog)}>
      <p>
        {summaryOf(editsOf(run))} in <strong>{target?.table}</strong> on <strong>{target?.place}</strong>. If one fails,
        none is saved.
      </p>
      <ol class="review-sql" aria-label="Statements">
        {statements.slice(0, SHOWN_MAX).map((sql, index) => (
          <li key={index}>
            <code>{sql};</code>
          </li>
        ))}
      </ol>
      {statements.length > SHOWN_MAX && (
        <p class="muted">and {counted(statements.length - SHOWN_MAX, 'more statement')}: copy them to read them all</p>
      )}
      <div class="form-buttons">
        <button type="button" class="button quiet" onClick={() => void copyPlain(script, 'Copied the statements')}>
          Copy
        </button>
        <span class="spread" />
        <button type="button" class="button" onClick={closeDialog}>
          Cancel
        </button>
        <button type="submit" class="button primary" disabled={isChanging.value}>
          Run in one transaction
        </button>
      </div>
    </Form>
  );
}
