/** An import that runs, and what came of it. */

import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Database, ImportWarnings, RefusedRow } from '../../../lib/index.ts';
import { AS_SCRIPT_SAYS } from '../../transfer/file_head.ts';
import { isCompressed } from '../../transfer/formats.ts';
import { NOTHING_YET, type TransferState } from '../../transfer/TransferState.tsx';
import { counted, wholeNumber } from '../../ui/figures.ts';
import { messageOf } from '../../ui/message_of.ts';
import { toast } from '../../ui/toast.tsx';
import { openTable } from '../actions.ts';
import { change } from '../database/changing.ts';
import { currentConnection } from '../database/connection.ts';
import { closeDialog } from '../dialogs.ts';
import { noteImport } from './broken_off.ts';
import { isOfTexts } from './column_plan.ts';
import { adviceFor, FAILURES_MAX, type ImportFailure, rowFailure } from './import_failures.ts';
import { type ImportFile, problemOf } from './import_file.ts';
import type { ImportedRows } from './import_rows.ts';
import type { ImportTarget } from './import_target.ts';
import { useTransferring } from './transferring.ts';

export interface ImportOutcome {
  /** Undefined while nothing runs. */
  readonly state: Signal<TransferState | undefined>;
  /** An import was requested while rows are still being scanned. */
  readonly isWaiting: Signal<boolean>;
  readonly failure: Signal<string | undefined>;
  /** What to do about it. */
  readonly advice: Signal<string | undefined>;
  /** The statement of a script at which the import stopped. */
  readonly stoppedAt: Signal<string | undefined>;
  readonly failed: Signal<readonly ImportFailure[]>;
  /** What a script has altered without an error. */
  readonly warned: Signal<ImportWarnings>;
  /** Rows that came in, when it is done. */
  readonly imported: Signal<number>;
}

export interface ImportRun {
  readonly run: () => Promise<void>;
  /** Goes to what was imported. */
  readonly end: () => void;
  readonly cancel: () => void;
}

/** All that the dialog asks for. */
export interface AskedImport extends ImportFile, ImportTarget, ImportedRows {
  /** Whether it goes on behind a statement or a row that fails. */
  readonly goesOn: Signal<boolean>;
}

export function useImportOutcome(): ImportOutcome {
  return {
    state: useSignal<TransferState | undefined>(undefined),
    isWaiting: useSignal(false),
    failure: useSignal<string | undefined>(undefined),
    advice: useSignal<string | undefined>(undefined),
    stoppedAt: useSignal<string | undefined>(undefined),
    failed: useSignal<readonly ImportFailure[]>([]),
    warned: useSignal<ImportWarnings>({ count: 0, first: [] }),
    imported: useSignal(0),
  };
}

export function forgetFailure({ failure, advice, stoppedAt }: ImportOutcome): void {
  failure.value = undefined;
  advice.value = undefined;
  stoppedAt.value = undefined;
}

export function useImportRun(asked: AskedImport, outcome: ImportOutcome): ImportRun {
  const { file, format, tableName, isNewTable, forms } = asked;
  const { state, isWaiting, failure, advice, failed, warned, imported } = outcome;
  const abort = useRef<AbortController | undefined>(undefined);
  const isClosed = useRef(false);
  useEffect(
    () => () => {
      isClosed.current = true;
      abort.current?.abort();
    },
    [],
  );
  useTransferring(state.value !== undefined);

  const run = async () => {
    const input = file.value;
    if (input === undefined || state.value !== undefined || isWaiting.value || forms.isMissing()) return;
    forgetFailure(outcome);
    const surprise = isNewTable ? await surpriseAmongRows(asked, isWaiting) : undefined;
    if (isClosed.current) return;
    if (surprise !== undefined) {
      failure.value = surprise;
      return;
    }
    if (!(await asked.make())) return;
    const control = new AbortController();
    abort.current = control;
    state.value = NOTHING_YET;
    const endNote = noteImport({ file: input.name, table: format.value === 'sql' ? '' : tableName, isNewTable });
    await change(async database => {
      try {
        const { rows } = await importInto(database, input, asked, outcome, control.signal);
        tellOf(input, rows);
      } catch (error) {
        failure.value = control.signal.aborted ? 'The import was cancelled.' : await problemOf(input, error);
        advice.value = control.signal.aborted ? undefined : adviceFor(error);
      } finally {
        // It is over, though all that shows the database is still to be read again.
        endNote();
        state.value = undefined;
      }
    });
  };

  /** What became of a file of which so many rows came in. */
  const tellOf = ({ name }: File, rows: number) => {
    imported.value = rows;
    if (failed.value.length > 0 || warned.value.count > 0) return;
    const what = counted(rows, 'row');
    toast(format.value === 'sql' ? `Imported ${name}: ${what}` : `Imported ${what} into ${tableName}`);
    end();
  };

  /** Closes the dialog and shows the table that has the rows. */
  const end = () => {
    closeDialog();
    const at = currentConnection()?.catalog.place.peek();
    if (format.value !== 'sql' && at !== undefined) openTable(at, tableName);
  };
  return { run, end, cancel: () => (state.value === undefined ? closeDialog() : abort.current?.abort()) };
}

/** Columns whose type changed after the scan of all rows, since the import was requested: it needs a confirmation. */
async function surpriseAmongRows({ plan, key }: ImportedRows, isWaiting: Signal<boolean>): Promise<string | undefined> {
  const shown = plan.columns.peek();
  const wantedKey = key.name.peek();
  isWaiting.value = true;
  await plan.looked();
  isWaiting.value = false;
  const chosen = plan.types.peek();
  const others = plan.columns.peek().flatMap(({ name, type }) => {
    const before = shown.find(column => column.name === name)?.type ?? '';
    return name in chosen || before === '' || isOfTexts(before) || !isOfTexts(type) ? [] : [`${name} (${before})`];
  });
  if (key.name.peek() !== wantedKey) return `${key.unfit.peek()} Import again to create a table without a key.`;
  if (others.length === 0) return undefined;
  return `Some rows differ from the first ones: ${others.join(', ')} would become text. Import again to confirm.`;
}

async function importInto(
  database: Database,
  input: File,
  { encoding, rowsOptions, goesOn }: AskedImport,
  { state, failed, warned, stoppedAt }: ImportOutcome,
  signal: AbortSignal,
): Promise<{ readonly rows: number }> {
  // The decompressed size of a file is unknown.
  const totalBytes = isCompressed(input) ? undefined : input.size;
  const onProgress = (progress: { table: string; rows: number; bytes: number }) => {
    state.value = { ...progress, totalBytes };
  };
  const isSaid = encoding.value !== AS_SCRIPT_SAYS;
  const options = { signal, onProgress, ...(isSaid && { encoding: encoding.value }) };
  const found: ImportFailure[] = [];
  const takeRow = (error: unknown, { row, line, text }: RefusedRow) => {
    if (found.push(rowFailure(error, row, line, text)) > FAILURES_MAX) {
      throw new Error(`More than ${wholeNumber(FAILURES_MAX)} rows are invalid. The last error: ${messageOf(error)}`);
    }
  };
  const takeStatement = (error: unknown, sql: string, line: number) => {
    if (!goesOn.value) {
      stoppedAt.value = sql;
      // Statements are not one transaction: earlier ones stay executed.
      throw new Error(`Line ${line}: ${messageOf(error)}. Earlier statements were executed`);
    }
    found.push({ where: `Line ${line}`, message: messageOf(error), text: sql });
  };
  const asRows = rowsOptions();
  if (asRows === undefined) {
    const { rows, warnings } = await database.importSql(input, { ...options, onError: takeStatement });
    failed.value = found;
    warned.value = warnings;
    return { rows };
  }
  const result = await database.importRows(input, { ...options, ...asRows, ...(goesOn.value && { onError: takeRow }) });
  failed.value = found;
  return result;
}
