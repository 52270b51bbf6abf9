/** What the import dialog asks for, and does. */
import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Database, ImportRowsOptions, RefusedRow } from '../../../lib/index.ts';
import type { ColumnInfo } from '../../schema/model.ts';
import { areObjectsApart, type FileHead, headOf, whyUnreadable } from '../../transfer/file_head.ts';
import { databaseNameIn, formatOf, type ImportFormat, tableNameOf, textOf } from '../../transfer/formats.ts';
import { NOTHING_YET, type TransferState } from '../../transfer/TransferState.tsx';
import { counted, wholeNumber } from '../../ui/figures.ts';
import { toast } from '../../ui/toast.tsx';
import { openTable } from '../actions.ts';
import { change } from '../changing.ts';
import { currentConnection, openState } from '../connection.ts';
import { closeDialog } from '../dialogs.ts';
import { type NewDatabase, useNewDatabase } from '../open/NewDatabaseFields.tsx';
import { openNew } from '../open/opening.ts';
import { noteImport } from './broken_off.ts';
import { type ColumnMatching, useColumnMatching } from './column_matching.ts';
import { type ColumnPlan, isOfTexts, useColumnPlan } from './column_plan.ts';
import { type CsvFields, useCsvFields } from './csv_fields.ts';
import { adviceFor, FAILURES_MAX, type ImportFailure, messageOf, rowFailure } from './import_failures.ts';
import { knownTables, useColumnsOf } from './known_tables.ts';
import { type Duplicates, type NewTableKey, useFittingKey, useNewTableKey } from './new_table_key.ts';
import { useObjectRows } from './object_rows.ts';
import { useTransferring } from './transferring.ts';
import { useWrittenForms, type WrittenForms } from './written_forms.ts';

/** What most files are that are no UTF-8. */
const OTHER_ENCODING = 'windows-1252';

export type Target = 'open' | 'new';

export interface Import {
  readonly file: Signal<File | undefined>;
  readonly head: Signal<FileHead | undefined>;
  readonly format: Signal<ImportFormat>;
  readonly encoding: Signal<string>;
  readonly table: Signal<string>;
  readonly csv: CsvFields;
  /** The first rows, titles before them; empty for a script, and for what is no rows. */
  readonly rows: readonly (readonly string[])[];
  readonly forms: WrittenForms;
  readonly plan: ColumnPlan;
  /** Of a new table. */
  readonly key: NewTableKey;
  readonly duplicates: Signal<Duplicates>;
  /** Where columns go, in a table that is there. */
  readonly matching: ColumnMatching;
  /** Whether an import goes on behind a statement or a row that fails. */
  readonly goesOn: Signal<boolean>;
  readonly made: NewDatabase;
  /** The open database, where it can be written to. */
  readonly place: string | undefined;
  readonly target: Target;
  /** Tables that rows could go into. */
  readonly tables: readonly string[];
  /** Of the one that they go into, where it is there. */
  readonly intoColumns: readonly ColumnInfo[];
  readonly isNewTable: boolean;
  readonly state: Signal<TransferState | undefined>;
  /** Somebody wants to import, and not all rows were looked at yet. */
  readonly isWaiting: Signal<boolean>;
  readonly failure: Signal<string | undefined>;
  /** What to do about it. */
  readonly advice: Signal<string | undefined>;
  /** The statement of a script at which the import stopped. */
  readonly stoppedAt: Signal<string | undefined>;
  readonly failed: Signal<readonly ImportFailure[]>;
  /** Rows that came in, when it is done. */
  readonly imported: Signal<number>;
  /** As the database calls it. */
  readonly tableName: string;
  readonly choose: (file: File) => void;
  readonly aimAt: (target: Target) => void;
  readonly run: () => Promise<void>;
  /** Goes to what was imported. */
  readonly end: () => void;
  readonly cancel: () => void;
}

export function useImport(files: readonly File[]): Import {
  const name = files[0]?.name ?? '';
  const file = useSignal<File | undefined>(files[0]);
  const head = useSignal<FileHead | undefined>(undefined);
  const format = useSignal<ImportFormat>(formatOf(name) ?? 'csv');
  const encoding = useSignal('utf-8');
  const table = useSignal(tableNameOf(name));
  const duplicates = useSignal<Duplicates>('error');
  const goesOn = useSignal(false);
  const made = useNewDatabase(name === '' ? '' : tableNameOf(name));
  const place = placeToImportInto();
  // Nobody means to put data of their own among the sample's.
  const wanted = useSignal<Target>(currentConnection()?.isSample ? 'new' : 'open');
  const target = place === undefined ? 'new' : wanted.value;
  const known = target === 'new' ? [] : knownTables();
  const into = known.find(({ name }) => name.toLowerCase() === table.value.trim().toLowerCase());
  const intoColumns = useColumnsOf(into);
  const isNewTable = into === undefined;
  const tableName = into?.name ?? table.value.trim();
  const state = useSignal<TransferState | undefined>(undefined);
  const failure = useSignal<string | undefined>(undefined);
  const stoppedAt = useSignal<string | undefined>(undefined);
  const advice = useSignal<string | undefined>(undefined);
  const failed = useSignal<readonly ImportFailure[]>([]);
  const imported = useSignal(0);
  /** Somebody wants to import, and not all rows were looked at. */
  const isWaiting = useSignal(false);
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

  useEffect(() => {
    const input = file.value;
    if (input === undefined) return;
    void headOf(input).then(
      found => {
        if (file.peek() !== input) return;
        head.value = found;
        if (format.peek() === 'json' && areObjectsApart(found)) format.value = 'jsonl';
        const isScript = format.peek() === 'sql';
        // A script keeps the bytes that are no UTF-8: they are those of its binary values.
        encoding.value = found.encoding ?? (isScript ? 'utf-8' : OTHER_ENCODING);
        // A dump goes into a database of the name that it uses.
        const own = isScript ? databaseNameIn(new TextDecoder(encoding.peek()).decode(found.bytes)) : undefined;
        if (own !== undefined && made.name.peek() === tableNameOf(input.name)) made.name.value = own;
      },
      async (error: unknown) => {
        const problem = await problemOf(input, error);
        if (file.peek() === input) failure.value = problem;
      },
    );
  }, [file.value]);

  const isCsv = format.value === 'csv';
  const intoNames = intoColumns.map(({ name }) => name);
  const csv = useCsvFields(isCsv ? head.value : undefined, encoding.value, intoNames);
  const objects = useObjectRows(file.value, format.value, head.value && encoding.value);
  const rows = isCsv ? csv.rows : objects;
  const key = useNewTableKey(rows);

  // Numbers of JSON are written in one way.
  const forms = useWrittenForms(csv.rows);
  /** How rows are read, and the table that is made for them; undefined for a script. */
  const reading = (): ImportRowsOptions | undefined =>
    format.value === 'sql'
      ? undefined
      : {
          table: tableName,
          format: format.value,
          encoding: encoding.value,
          create: isNewTable,
          ...(isCsv && { ...csv.options(), ...forms.options() }),
          ...key.options(),
        };
  const plan = useColumnPlan(file.value, head.value && reading());
  useFittingKey(key, plan, duplicates);
  const matching = useColumnMatching(
    plan.columns.value.map(({ name }) => name),
    intoColumns,
  );

  const forgetFailure = () => {
    failure.value = undefined;
    advice.value = undefined;
    stoppedAt.value = undefined;
  };

  const choose = (chosen: File) => {
    const isNameOwn = made.name.peek() !== '' && made.name.peek() !== tableNameOf(file.peek()?.name ?? '');
    file.value = chosen;
    head.value = undefined;
    format.value = formatOf(chosen.name) ?? format.peek();
    table.value = tableNameOf(chosen.name);
    if (!isNameOwn) made.name.value = tableNameOf(chosen.name);
    forgetFailure();
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
    const options = { signal, onProgress, encoding: encoding.value };
    const found: ImportFailure[] = [];
    const rowOptions = reading();
    if (rowOptions !== undefined) {
      const takeRefused = (error: unknown, { row, line, text }: RefusedRow) => {
        if (found.push(rowFailure(error, row, line, text)) > FAILURES_MAX) {
          throw new Error(`More than ${wholeNumber(FAILURES_MAX)} rows do not fit, the last one: ${messageOf(error)}`);
        }
      };
      const result = await database.importRows(text, {
        ...options,
        ...rowOptions,
        ...(isNewTable ? plan.options() : { nulls: plan.options().nulls, map: matching.match }),
        duplicates: duplicates.value,
        ...(goesOn.value && { onError: takeRefused }),
      });
      failed.value = found;
      return result;
    }
    const onError = (error: unknown, sql: string, line: number) => {
      if (!goesOn.value) {
        stoppedAt.value = sql;
        // Statements are not one transaction: whoever repeats the import finds what it has done.
        throw new Error(`Line ${line}: ${messageOf(error)}. The statements before it were run`);
      }
      found.push({ where: `Line ${line}`, message: messageOf(error), text: sql });
    };
    const result = await database.importSql(text, { ...options, onError });
    failed.value = found;
    return result;
  };

  /** What the look at all rows has made of columns after somebody wanted to import them: it is told before it is done. */
  const surpriseAmongRows = async (): Promise<string | undefined> => {
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
    if (key.name.peek() !== wantedKey) return `${key.unfit.peek()} Import once more for a table without a key.`;
    if (others.length === 0) return undefined;
    return `Not all rows are like the first ones: ${others.join(', ')} would become text. Import once more if that is right.`;
  };

  const run = async () => {
    const input = file.value;
    if (input === undefined || state.value !== undefined || isWaiting.value || forms.isMissing()) return;
    forgetFailure();
    const surprise = isNewTable ? await surpriseAmongRows() : undefined;
    if (isClosed.current) return;
    if (surprise !== undefined) {
      failure.value = surprise;
      return;
    }
    if (target === 'new' && !(await makeTarget())) return;
    const control = new AbortController();
    abort.current = control;
    state.value = NOTHING_YET;
    const endNote = noteImport({ file: input.name, table: format.value === 'sql' ? '' : tableName, isNewTable });
    const done = await change(async database => {
      try {
        return await importInto(database, input, control.signal);
      } catch (error) {
        failure.value = control.signal.aborted ? 'The import was cancelled.' : await problemOf(input, error);
        advice.value = control.signal.aborted ? undefined : adviceFor(error);
        return undefined;
      }
    });
    endNote();
    state.value = undefined;
    const result = done?.value;
    if (result === undefined) return;
    imported.value = result.rows;
    if (failed.value.length > 0) return;
    if (isNewTable && result.rows === 0 && format.value !== 'sql') {
      failure.value = `${input.name} has no rows: no table was made`;
      return;
    }
    const what = counted(result.rows, 'row');
    toast(format.value === 'sql' ? `Imported ${input.name}: ${what}` : `Imported ${what} into ${tableName}`);
    end();
  };

  /** Closes the dialog: whoever brings rows wants to see what became of them. */
  const end = () => {
    closeDialog();
    const at = currentConnection()?.catalog.place.peek();
    if (format.value !== 'sql' && at !== undefined) openTable(at, tableName);
  };

  return {
    ...{
      file,
      head,
      format,
      encoding,
      table,
      csv,
      rows,
      forms,
      plan,
      key,
      duplicates,
      matching,
      goesOn,
      made,
      place,
      target,
      tables: known.map(({ name }) => name),
      intoColumns,
      isNewTable,
    },
    ...{ state, isWaiting, failure, advice, stoppedAt, failed, imported, tableName, choose, run, end },
    aimAt: next => {
      wanted.value = next;
    },
    cancel: () => (state.value === undefined ? closeDialog() : abort.current?.abort()),
  };
}

/** The branch that is selected, where it can be written to. */
function placeToImportInto(): string | undefined {
  const connection = currentConnection();
  const place = connection?.catalog.place.value;
  if (connection === undefined || connection.database.storage.readOnly || !place?.branch) return undefined;
  return place.branch === 'main' ? place.database : `${place.database} (${place.branch})`;
}

async function problemOf(input: File, error: unknown): Promise<string> {
  return (await whyUnreadable(input)) ?? messageOf(error);
}
