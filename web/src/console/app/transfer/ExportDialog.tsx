import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Database, RowFormat } from '../../../lib/index.ts';
import type { TableNode } from '../../schema/catalog.ts';
import { download } from '../../transfer/download.ts';
import { fileNameOf } from '../../transfer/formats.ts';
import { TransferEnd } from '../../transfer/TransferEnd.tsx';
import { NOTHING_YET, type TransferState } from '../../transfer/TransferState.tsx';
import { byteCount } from '../../ui/figures.ts';
import { Check, Field, Form } from '../../ui/form.tsx';
import { messageOf } from '../../ui/message_of.ts';
import { toast } from '../../ui/toast.tsx';
import { boundDatabase } from '../database/bound_database.ts';
import { currentConnection } from '../database/connection.ts';
import { closeDialog } from '../dialogs.ts';
import { useTransferring } from './transferring.ts';

type ExportFormat = 'zip' | 'sql' | RowFormat;

const FORMATS: readonly { readonly id: ExportFormat; readonly name: string; readonly meaning: string }[] = [
  {
    id: 'zip',
    name: 'Whole database',
    meaning: 'A .zip with all branches and history. Unpack it to open it with Dolt',
  },
  { id: 'sql', name: 'SQL dump', meaning: 'CREATE TABLE and INSERT statements' },
  { id: 'csv', name: 'CSV', meaning: 'The rows of one table' },
  { id: 'json', name: 'JSON', meaning: 'The rows of one table, as an array of objects' },
  { id: 'jsonl', name: 'JSON lines', meaning: 'The rows of one table, one object per line' },
];

const TYPES: Readonly<Record<ExportFormat, string>> = {
  zip: 'application/zip',
  sql: 'application/sql',
  csv: 'text/csv',
  json: 'application/json',
  jsonl: 'application/x-ndjson',
};

/** Export of the database, or of a table. Opened from a table, that one is chosen. */
export function ExportDialog({ table: first }: { readonly table: string | undefined }): JSX.Element | null {
  const connection = currentConnection();
  const format = useSignal<ExportFormat>(first === undefined ? 'zip' : 'csv');
  const table = useSignal(first ?? '');
  const isSchemaOnly = useSignal(false);
  const isGuarded = useSignal(true);
  const state = useSignal<TransferState | undefined>(undefined);
  const failure = useSignal<string | undefined>(undefined);
  const abort = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  useTransferring(state.value !== undefined);
  if (connection === undefined) return null;
  const { catalog } = connection;
  const place = catalog.place.value;
  const loaded = catalog.tables(place).value;
  const nodes = loaded?.kind === 'ready' ? loaded.value : [];
  const tables = nodes.map(({ name }) => name);
  const chosenTable = tables.includes(table.value) ? table.value : (tables[0] ?? '');
  const isOfTable = format.value !== 'zip' && format.value !== 'sql';

  const run = async () => {
    const control = new AbortController();
    abort.current = control;
    failure.value = undefined;
    const written = isOfTable ? nodes.filter(({ name }) => name === chosenTable) : isSchemaOnly.value ? [] : nodes;
    state.value = { ...NOTHING_YET, totalRows: rowsOf(written) };
    const report = (more: Partial<TransferState>) => {
      state.value = { ...(state.peek() ?? NOTHING_YET), ...more };
    };
    try {
      const database = await boundDatabase(connection);
      const choice = {
        format: format.value,
        table: chosenTable,
        schemaOnly: isSchemaOnly.value,
        guardFormulas: isGuarded.value,
      };
      const pieces = piecesOf(database, choice, control.signal, report);
      const name = fileNameOf(isOfTable ? chosenTable : place.database, format.value);
      const bytes = await download(name, TYPES[format.value], pieces, written => report({ bytes: written }));
      toast(`Exported ${name}, ${byteCount(bytes)}`);
      closeDialog();
    } catch (error) {
      const message = messageOf(error);
      failure.value = control.signal.aborted ? 'The export was cancelled.' : message;
    } finally {
      state.value = undefined;
    }
  };
  const isRunning = state.value !== undefined;
  return (
    <Form onSubmit={run}>
      <fieldset class="form-choices">
        <legend>Format</legend>
        {FORMATS.map(({ id, name, meaning }) => (
          <label key={id} class="form-choice">
            <input
              type="radio"
              name="format"
              checked={format.value === id}
              disabled={isRunning}
              onChange={() => (format.value = id)}
            />
            <span>
              <strong>{name}</strong>
              <span class="muted">{meaning}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {isOfTable && (
        <Field label="Table or view">
          {id => (
            <select
              id={id}
              class="field"
              value={chosenTable}
              disabled={isRunning}
              onChange={event => (table.value = event.currentTarget.value)}
            >
              {tables.map(name => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      {format.value === 'sql' && (
        <Check
          label="Definitions only"
          hint="without rows"
          isChecked={isSchemaOnly.value}
          isDisabled={isRunning}
          onChange={next => (isSchemaOnly.value = next)}
        />
      )}
      {format.value === 'csv' && (
        <Check
          label="Guard formulas"
          hint="puts ' before text that a spreadsheet would run as a formula; imports keep it"
          isChecked={isGuarded.value}
          isDisabled={isRunning}
          onChange={next => (isGuarded.value = next)}
        />
      )}
      {format.value !== 'zip' && (
        <p class="muted">
          Exports {place.branch === '' ? 'this revision' : place.branch}, including uncommitted changes.
        </p>
      )}
      <TransferEnd
        verb="Export"
        failure={failure.value}
        state={state.value}
        isDisabled={isOfTable && chosenTable === ''}
        onCancel={() => (isRunning ? abort.current?.abort() : closeDialog())}
      />
    </Form>
  );
}

/** Undefined where not all were counted: views are not, which a dump writes without rows. */
function rowsOf(tables: readonly TableNode[]): number | undefined {
  let sum = 0;
  for (const { isView, rowCount } of tables) {
    if (isView) continue;
    const count = rowCount.peek();
    if (typeof count !== 'number') return undefined;
    sum += count;
  }
  return sum;
}

interface ExportChoice {
  readonly format: ExportFormat;
  readonly table: string;
  readonly schemaOnly: boolean;
  readonly guardFormulas: boolean;
}

function piecesOf(
  database: Database,
  { format, table, schemaOnly, guardFormulas }: ExportChoice,
  signal: AbortSignal,
  report: (more: Partial<TransferState>) => void,
): AsyncIterable<string | Uint8Array> {
  if (format === 'zip') return database.zip({ signal, onProgress: ({ totalBytes }) => report({ totalBytes }) });
  const onProgress = (progress: { table: string; rows: number }) =>
    report({ table: progress.table, rows: progress.rows });
  if (format === 'sql') return database.dump({ signal, onProgress, schemaOnly });
  return database.exportRows({ signal, onProgress, format, table, guardFormulas });
}
