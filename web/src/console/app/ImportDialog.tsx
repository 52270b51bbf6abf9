import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { FORMAT_NAMES, formatOf, type ImportFormat, tableNameOf } from '../transfer/formats.ts';
import { TransferEnd } from '../transfer/TransferEnd.tsx';
import { NOTHING_YET, type TransferState } from '../transfer/TransferState.tsx';
import { byteCount, counted } from '../ui/figures.ts';
import { Check, Field } from '../ui/form.tsx';
import { toast } from '../ui/toast.tsx';
import { change } from './changing.ts';
import { currentConnection } from './connection.ts';
import { closeDialog } from './dialogs.ts';

const DUPLICATES = [
  { id: 'error', name: 'Stop, and import nothing' },
  { id: 'replace', name: 'Replace the row that is there' },
  { id: 'ignore', name: 'Keep the row that is there' },
] as const;
type Duplicates = (typeof DUPLICATES)[number]['id'];

/** A file into the database: statements, or rows of a table. */
export function ImportDialog({ files }: { readonly files: readonly File[] }): JSX.Element {
  const file = useSignal<File | undefined>(files[0]);
  const format = useSignal<ImportFormat>(formatOf(files[0]?.name ?? '') ?? 'csv');
  const table = useSignal(tableNameOf(files[0]?.name ?? ''));
  const duplicates = useSignal<Duplicates>('error');
  const goesOn = useSignal(false);
  const state = useSignal<TransferState | undefined>(undefined);
  const failure = useSignal<string | undefined>(undefined);
  const abort = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  const tables = knownTables();
  const isNew = !tables.includes(table.value);
  const isRows = format.value !== 'sql';

  const choose = (chosen: File | undefined) => {
    if (chosen === undefined) return;
    file.value = chosen;
    format.value = formatOf(chosen.name) ?? format.value;
    table.value = tableNameOf(chosen.name);
    failure.value = undefined;
  };
  const run = async () => {
    const input = file.value;
    if (input === undefined) return;
    const control = new AbortController();
    abort.current = control;
    failure.value = undefined;
    state.value = { ...NOTHING_YET, totalBytes: input.size };
    let failed = 0;
    const onProgress = (progress: { table: string; rows: number; bytes: number }) => {
      state.value = { ...progress, totalBytes: input.size };
    };
    const options = { signal: control.signal, onProgress };
    const done = await change(async database => {
      try {
        if (format.value === 'sql') {
          const onError = () => {
            failed += 1;
          };
          return await database.importSql(input, { ...options, ...(goesOn.value && { onError }) });
        }
        return await database.importRows(input, {
          ...options,
          table: table.value,
          format: format.value,
          create: isNew,
          duplicates: duplicates.value,
        });
      } catch (error) {
        failure.value = control.signal.aborted ? 'The import was cancelled.' : messageOf(error);
        return undefined;
      }
    });
    state.value = undefined;
    const result = done?.value;
    if (result === undefined) return;
    toast(
      isRows
        ? `Imported ${counted(result.rows, 'row')} into ${table.value}`
        : `Imported ${byteCount(result.bytes)}${failed > 0 ? `, ${counted(failed, 'statement')} failed` : ''}`,
    );
    closeDialog();
  };
  const isRunning = state.value !== undefined;
  return (
    <form
      class="form"
      onSubmit={event => {
        event.preventDefault();
        void run();
      }}
    >
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
              accept=".sql,.csv,.json,.jsonl,.ndjson,text/csv,application/json,application/sql"
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
      {isRows ? (
        <>
          <Field
            label="Table"
            hint={isNew ? 'A new table is made; its first column is the key' : 'The rows are added to this table'}
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
          hint="and count the statements that failed"
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
    </form>
  );
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
