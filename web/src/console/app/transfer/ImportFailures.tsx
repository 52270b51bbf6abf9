/** The report of an import: failed statements, skipped rows, warnings. */
import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ImportWarnings } from '../../../lib/index.ts';
import { download } from '../../transfer/download.ts';
import { counted, wholeNumber } from '../../ui/figures.ts';
import { Form } from '../../ui/form.tsx';
import { closeDialog } from '../dialogs.ts';
import type { ImportFailure } from './import_failures.ts';
import type { Import } from './importing.ts';
import { StatementBeginning } from './StatementBeginning.tsx';

/** Limit of listed failures. */
const SHOWN_MAX = 50;

/** After an import of which some statements failed, or some rows do not fit: which, and why. */
export function ImportFailures({ given }: { readonly given: Import }): JSX.Element {
  const { failed, warned, imported, format, file, tableName, end } = given;
  const close = useRef<HTMLButtonElement>(null);
  // The button that was pressed is gone.
  useLayoutEffect(() => close.current?.focus(), []);
  const failures = failed.value;
  const isScript = format.value === 'sql';
  const name = file.value?.name ?? '';
  const count = counted(failures.length, isScript ? 'statement' : 'row');
  return (
    <Form onSubmit={isScript ? closeDialog : end}>
      {failures.length === 0 ? (
        <p>
          Imported {name} with {counted(warned.value.count, 'warning')}:
        </p>
      ) : isScript ? (
        <p>
          Imported {name}; {count} failed:
        </p>
      ) : (
        <p>
          Imported {counted(imported.value, 'row')} of {name} into {tableName}. Skipped {count}:
        </p>
      )}
      {failures.length > 0 && (
        <ul class="failed-statements" aria-label={isScript ? 'Failed statements' : 'Skipped rows'}>
          {failures.slice(0, SHOWN_MAX).map(({ where, message, text }, index) => (
            <li key={index}>
              <span class="form-problem">
                {where}: {message}
              </span>
              <StatementBeginning sql={text} />
            </li>
          ))}
        </ul>
      )}
      {failures.length > SHOWN_MAX && <p class="muted">and {wholeNumber(failures.length - SHOWN_MAX)} more</p>}
      <Warnings warned={warned.value} />
      <div class="form-buttons">
        {!isScript && (
          <button type="button" class="button" onClick={() => void saveRows(given)}>
            Save these rows to a file
          </button>
        )}
        <button ref={close} type="submit" class="button primary">
          Close
        </button>
      </div>
    </Form>
  );
}

/** Values that a script's statements have altered, for IGNORE or the SQL mode said so. */
function Warnings({ warned: { count, first } }: { readonly warned: ImportWarnings }): JSX.Element | null {
  if (count === 0) return null;
  return (
    <>
      <ul class="failed-statements" aria-label="Warnings">
        {first.map(({ line, message }, index) => (
          <li key={index}>
            Line {wholeNumber(line)}: {message}
          </li>
        ))}
      </ul>
      {count > first.length && <p class="muted">and {counted(count - first.length, 'more warning')}</p>}
    </>
  );
}

/** The rows that were left out as a file of the same kind: mended, it is imported as the first one was. */
async function saveRows({ failed, file, format, csv }: Import): Promise<void> {
  const stem = (file.value?.name ?? 'rows').replace(/(\.\w+)?(\.gz)?$/i, '');
  const isCsv = format.value === 'csv';
  const lines = failed.value.map(({ text }: ImportFailure) => text);
  if (isCsv && csv.hasTitles.value) {
    const separator = csv.separator.value;
    const quoted = (title: string) =>
      title.includes(separator) || /["\r\n]/.test(title) ? `"${title.replaceAll('"', '""')}"` : title;
    lines.unshift((csv.rows[0] ?? []).map(quoted).join(separator));
  }
  async function* pieces(): AsyncIterableIterator<string> {
    for (const line of lines) yield `${line}\n`;
  }
  await download(
    `${stem}.left_out.${isCsv ? 'csv' : 'jsonl'}`,
    isCsv ? 'text/csv' : 'application/jsonl',
    pieces(),
    () => {},
  );
}
