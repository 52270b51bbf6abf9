import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Database } from '../../lib/index.ts';
import { oneLine } from '../grid/cells.ts';
import {
  databaseNameIn,
  FORMAT_NAMES,
  formatOf,
  HEAD_BYTES,
  type ImportFormat,
  tableNameOf,
  textOf,
} from '../transfer/formats.ts';
import { TransferEnd } from '../transfer/TransferEnd.tsx';
import { NOTHING_YET, type TransferState } from '../transfer/TransferState.tsx';
import { byteCount, counted, wholeNumber } from '../ui/figures.ts';
import { Check, Field, Form } from '../ui/form.tsx';
import { Segments } from '../ui/segments.tsx';
import { toast } from '../ui/toast.tsx';
import { change } from './changing.ts';
import { currentConnection, isUnkept, openState } from './connection.ts';
import { closeDialog } from './dialogs.ts';
import { NewDatabaseFields, useNewDatabase } from './NewDatabaseFields.tsx';
import { openNew } from './opening.ts';

const DUPLICATES = [
  { id: 'error', name: 'Stop, and import nothing' },
  { id: 'replace', name: 'Replace the row that is there' },
  { id: 'ignore', name: 'Keep the row that is there' },
] as const;
type Duplicates = (typeof DUPLICATES)[number]['id'];

type Target = 'open' | 'new';

/** Failed statements of a script that are told one by one. */
const FAILURES_MAX = 50;
/** Of a statement that failed: enough to find it. */
const STATEMENT_CHARACTERS = 200;

interface FailedStatement {
  readonly message: string;
  readonly sql: string;
}

/** A file into a database, the open one or one that is made for it: statements, or rows of a table. */
export function ImportDialog({ files }: { readonly files: readonly File[] }): JSX.Element {
  const file = useSignal<File | undefined>(files[0]);
  const format = useSignal<ImportFormat>(formatOf(files[0]?.name ?? '') ?? 'csv');
  const table = useSignal(tableNameOf(files[0]?.name ?? ''));
  const made = useNewDatabase(files[0] === undefined ? '' : tableNameOf(files[0].name));
  const place = placeToImportInto();
  // Nobody means to put data of their own among the sample's.
  const wanted = useSignal<Target>(currentConnection()?.isSample && files.length > 0 ? 'new' : 'open');
  const target = place === undefined ? 'new' : wanted.value;
  const duplicates = useSignal<Duplicates>('error');
  const goesOn = useSignal(false);
  const state = useSignal<TransferState | undefined>(undefined);
  const failure = useSignal<string | undefined>(undefined);
  const failed = useSignal<readonly FailedStatement[]>([]);
  const abort = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  // A dump goes into a database of the name that it uses.
  useEffect(() => {
    const input = file.value;
    if (input === undefined || formatOf(input.name) !== 'sql') return;
    void headOf(input).then(head => {
      const name = databaseNameIn(head);
      if (name !== undefined && file.peek() === input) made.name.value = name;
    });
  }, [file.value]);
  const tables = target === 'new' ? [] : knownTables();
  const isNewTable = !tables.includes(table.value);
  const isRows = format.value !== 'sql';
  const isRunning = state.value !== undefined;

  const choose = (chosen: File | undefined) => {
    if (chosen === undefined) return;
    file.value = chosen;
    format.value = formatOf(chosen.name) ?? format.value;
    table.value = tableNameOf(chosen.name);
    if (made.name.value === '') made.name.value = tableNameOf(chosen.name);
    failure.value = undefined;
  };

  /** Makes the database that the file goes into; from then on it is the open one. */
  const makeTarget = async (): Promise<boolean> => {
    made.isTouched.value = true;
    if (made.problem !== undefined) return false;
    await openNew(made.name.value.trim(), made.place.value === 'browser', { isAsked: true });
    const opened = openState.peek();
    if (opened.kind !== 'open') closeDialog();
    wanted.value = 'open';
    return opened.kind === 'open';
  };

  const importInto = async (database: Database, input: File, signal: AbortSignal) => {
    const text = textOf(input);
    // Of a compressed file nobody knows how long it is.
    const totalBytes = text === input ? input.size : undefined;
    const onProgress = (progress: { table: string; rows: number; bytes: number }) => {
      state.value = { ...progress, totalBytes };
    };
    if (isRows) {
      return database.importRows(text, {
        signal,
        onProgress,
        table: table.value,
        format: format.value as Exclude<ImportFormat, 'sql'>,
        create: isNewTable,
        duplicates: duplicates.value,
      });
    }
    const found: FailedStatement[] = [];
    const onError = (error: unknown, sql: string) => {
      if (!goesOn.value) throw new Error(`${messageOf(error)} — in ${oneLine(sql).slice(0, STATEMENT_CHARACTERS)}`);
      found.push({ message: messageOf(error), sql });
    };
    const result = await database.importSql(text, { signal, onProgress, onError });
    failed.value = found;
    return result;
  };

  const run = async () => {
    const input = file.value;
    if (input === undefined || isRunning) return;
    if (target === 'new' && !(await makeTarget())) return;
    const control = new AbortController();
    abort.current = control;
    failure.value = undefined;
    state.value = NOTHING_YET;
    const done = await change(async database => {
      try {
        return await importInto(database, input, control.signal);
      } catch (error) {
        failure.value = control.signal.aborted ? 'The import was cancelled.' : messageOf(error);
        return undefined;
      }
    });
    state.value = undefined;
    const result = done?.value;
    if (result === undefined || failed.value.length > 0) return;
    toast(
      isRows
        ? `Imported ${counted(result.rows, 'row')} into ${table.value}`
        : `Imported ${input.name}: ${counted(result.rows, 'row')}`,
    );
    closeDialog();
  };

  if (failed.value.length > 0) return <Failures failed={failed.value} fileName={file.value?.name ?? ''} />;
  return (
    <Form onSubmit={run}>
      <Field label="File" {...(file.value !== undefined && { hint: byteCount(file.value.size) })}>
        {id => (
          <label class="file-field" for={id}>
            <span class={file.value === undefined ? 'truncate muted' : 'truncate'}>
              {file.value?.name ?? 'A .sql, .csv, .json or .jsonl file'}
            </span>
            <span class="button small">Choose a file</span>
            <input
              id={id}
              class="visually-hidden"
              type="file"
              aria-label="File to import"
              accept=".sql,.csv,.json,.jsonl,.ndjson,.gz,text/csv,application/json,application/sql"
              disabled={isRunning}
              onChange={event => choose(event.currentTarget.files?.[0])}
            />
          </label>
        )}
      </Field>
      <Field label="What it holds">
        {id => (
          <select
            id={id}
            class="field"
            value={format.value}
            disabled={isRunning}
            onChange={event => (format.value = event.currentTarget.value as ImportFormat)}
          >
            {Object.entries(FORMAT_NAMES).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      {place !== undefined && !isRunning && (
        <div class="form-field">
          <span class="form-label">Into</span>
          <Segments
            label="Into"
            options={[
              { id: 'open', name: place },
              { id: 'new', name: 'A new database' },
            ]}
            chosen={target}
            onChoose={next => (wanted.value = next)}
          />
        </div>
      )}
      {target === 'new' && <NewDatabaseFields made={made} isDisabled={isRunning} />}
      {target === 'new' && isUnkept.value && (
        <p class="form-problem">
          {currentConnection()?.label} was changed and is in memory only: it goes when the new database is opened.
        </p>
      )}
      {isRows ? (
        <>
          <Field
            label="Table"
            hint={isNewTable ? 'A new table is made; its first column is the key' : 'The rows are added to this table'}
          >
            {id => (
              <>
                <input
                  id={id}
                  class="field"
                  list={`${id}-tables`}
                  value={table.value}
                  disabled={isRunning}
                  spellcheck={false}
                  onInput={event => (table.value = event.currentTarget.value)}
                />
                <datalist id={`${id}-tables`}>
                  {tables.map(name => (
                    <option key={name} value={name} />
                  ))}
                </datalist>
              </>
            )}
          </Field>
          <Field label="When a row with the same key is there">
            {id => (
              <select
                id={id}
                class="field"
                value={duplicates.value}
                disabled={isRunning}
                onChange={event => (duplicates.value = event.currentTarget.value as Duplicates)}
              >
                {DUPLICATES.map(({ id: value, name }) => (
                  <option key={value} value={value}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </>
      ) : (
        <Check
          label="Go on after an error"
          hint="and list the statements that failed"
          isChecked={goesOn.value}
          isDisabled={isRunning}
          onChange={next => (goesOn.value = next)}
        />
      )}
      <TransferEnd
        verb="Import"
        failure={failure.value}
        state={state.value}
        isDisabled={file.value === undefined || (isRows && table.value.trim() === '')}
        onCancel={() => (isRunning ? abort.current?.abort() : closeDialog())}
      />
    </Form>
  );
}

interface FailuresProps {
  readonly failed: readonly FailedStatement[];
  readonly fileName: string;
}

/** After a script of which some statements failed: which, and why. */
function Failures({ failed, fileName }: FailuresProps): JSX.Element {
  return (
    <Form onSubmit={closeDialog}>
      <p>
        {fileName} was imported, but for {counted(failed.length, 'statement')} that failed:
      </p>
      <ul class="failed-statements" aria-label="Failed statements">
        {failed.slice(0, FAILURES_MAX).map(({ message, sql }, index) => (
          <li key={index}>
            <span class="form-problem">{message}</span>
            <code class="truncate muted" title={sql.slice(0, 600)}>
              {oneLine(sql).slice(0, STATEMENT_CHARACTERS)}
            </code>
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

async function headOf(file: File): Promise<string> {
  const text = textOf(file);
  if (text instanceof Blob) return text.slice(0, HEAD_BYTES).text();
  for await (const piece of text) return new TextDecoder().decode(piece.slice(0, HEAD_BYTES));
  return '';
}

/** The branch that is selected, where it can be written to. */
function placeToImportInto(): string | undefined {
  const connection = currentConnection();
  const place = connection?.catalog.place.value;
  if (connection === undefined || connection.database.storage.readOnly || !place?.branch) return undefined;
  return place.branch === 'main' ? place.database : `${place.database} (${place.branch})`;
}

/** Of the selected branch. */
function knownTables(): readonly string[] {
  const catalog = currentConnection()?.catalog;
  const loaded = catalog?.tables(catalog.place.value).value;
  return loaded?.kind === 'ready' ? loaded.value.filter(({ isView }) => !isView).map(({ name }) => name) : [];
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
