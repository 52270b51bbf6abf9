import type { JSX } from 'preact';
import { counted, wholeNumber } from '../../ui/figures.ts';
import { Form } from '../../ui/form.tsx';
import { closeDialog } from '../dialogs.ts';
import type { FailedStatement } from './importing.ts';
import { StatementBeginning } from './StatementBeginning.tsx';

/** Failed statements of a script that are told one by one. */
const FAILURES_MAX = 50;

interface FailuresProps {
  readonly failed: readonly FailedStatement[];
  readonly fileName: string;
}

/** After a script of which some statements failed: which, and why. */
export function ImportFailures({ failed, fileName }: FailuresProps): JSX.Element {
  return (
    <Form onSubmit={closeDialog}>
      <p>
        {fileName} was imported, but for {counted(failed.length, 'statement')} that failed:
      </p>
      <ul class="failed-statements" aria-label="Failed statements">
        {failed.slice(0, FAILURES_MAX).map(({ message, sql, line }, index) => (
          <li key={index}>
            <span class="form-problem">
              Line {line}: {message}
            </span>
            <StatementBeginning sql={sql} />
          </li>
        ))}
      </ul>
      {failed.length > FAILURES_MAX && <p class="muted">and {wholeNumber(failed.length - FAILURES_MAX)} more</p>}
      <div class="form-buttons">
        <button type="submit" class="button primary">
          Close
        </button>
      </div>
    </Form>
  );
}
