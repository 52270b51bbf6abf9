/** Import and export on the command line. */

import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { constants, gunzipSync } from 'node:zlib';
import {
  type CsvEscape,
  type CsvForm,
  type Database,
  type DateOrder,
  type DecimalMark,
  findForm,
  findForms,
  firstCsvRows,
  type ImportRowsOptions,
  type ImportSqlOptions,
  type ImportWarnings,
  type PlannedColumn,
  planRows,
  type RowFormat,
  SqlError,
  shortLinesOf,
  type TextInput,
} from '../../client/index.ts';
import { isGzip, messageOf } from '../../protocol/index.ts';
import { ownControl } from '../render/terminal.ts';
import { type Output, UsageError } from './output.ts';
import { bytesOf, checkFile, sourcePath } from './script_file.ts';
import { type AfterError, describeFailure } from './sql.ts';

const NO_SUCH_TABLE = 1146;
const DUPLICATE_KEY = 1062;
const NO_SUCH_COLUMN = 1054;

/** What helps against an error of an import. */
function hintFor(errno: number, isCreated: boolean, isKeyNamed: boolean): string | undefined {
  if (errno === NO_SUCH_TABLE && !isCreated) return '-c makes the table';
  if (errno === NO_SUCH_COLUMN) return '--map FILE.json says which column a title is, and null leaves it out';
  if (errno !== DUPLICATE_KEY) return undefined;
  if (!isCreated) return '--update and --replace take the new rows, --ignore keeps the old ones';
  return isKeyNamed ? undefined : "the first column is the key: --pk COLUMN,… names another, --pk '' makes none";
}

/** Of a file all rows are looked at before the table is made. */
const HINT_OF_PIPE =
  'the columns fit the first 1,000 rows that came: of a file all are looked at, or make the table first, with CREATE TABLE';

/** Where text goes: a file, or the standard output. */
export async function writeAll(
  pieces: AsyncIterable<string>,
  file: string | null,
  isForced: boolean,
  output: Output,
): Promise<void> {
  if (file === null) {
    for await (const piece of pieces) await output.out(piece);
    return;
  }
  const isThere = existsSync(file);
  if (isThere && statSync(file).isDirectory()) throw new Error(`${file} is a directory`);
  if (isThere && !isForced) throw new Error(`${file} is there already; -f replaces it`);
  // A pipe or a device cannot be replaced.
  if (isThere && !statSync(file).isFile()) await writeFile(file, pieces);
  else await replaceFile(isThere ? realpathSync(file) : file, pieces);
}

/** What was there stays until all of the text is: an export that fails, or is stopped, leaves no half in its place. */
async function replaceFile(file: string, pieces: AsyncIterable<string>): Promise<void> {
  const part = `${file}.part`;
  try {
    await writeFile(part, pieces);
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    if (error instanceof Error) error.message = error.message.replaceAll(part, file);
    throw error;
  }
}

/** The name of what a file compressed by gzip holds. */
function decompressedName(file: string): string {
  return file.replace(/\.gz$/i, '');
}

/** Formats of rows by the ends of files' names, with their delimiters. */
const FORMS: Readonly<Record<string, { readonly format: RowFormat; readonly separator?: string }>> = {
  csv: { format: 'csv' },
  tsv: { format: 'csv', separator: '\t' },
  psv: { format: 'csv', separator: '|' },
  json: { format: 'json' },
  jsonl: { format: 'jsonl' },
  ndjson: { format: 'jsonl' },
};

/** @param separator where it is said */
export function rowFormOf(
  word: string | undefined,
  file: string | null,
  separator?: string,
): { readonly format: RowFormat; readonly separator?: string } {
  const named = word ?? /\.(\w+)$/.exec(decompressedName(file ?? ''))?.[1] ?? 'csv';
  const form = FORMS[named.toLowerCase()];
  if (form === undefined) throw new UsageError(`${named} is not a format of rows: ${Object.keys(FORMS).join(', ')}`);
  return { ...form, ...(separator !== undefined && { separator }) };
}

/** Tells on the terminal how far an import is. */
export function progressTo(output: Output, isShown: boolean, totalBytes: number) {
  let lastMs = 0;
  return ({ rows, bytes }: { readonly rows: number; readonly bytes: number }): void => {
    const nowMs = Date.now();
    if (!isShown || nowMs - lastMs < 200) return;
    lastMs = nowMs;
    const share = totalBytes > 0 ? ` ${Math.min(100, Math.floor((100 * bytes) / totalBytes))} %` : '';
    output.error(`${ownControl('\r')}${rows} rows${share}`);
  };
}

export interface ImportCall {
  readonly file: string | null;
  readonly table: string | null;
  readonly format: string | undefined;
  /** Between the fields of CSV. */
  readonly separator: string | undefined;
  /** What makes data of a quote within a field. */
  readonly escape: CsvEscape | undefined;
  /** Lines of CSV before its titles. */
  readonly skipLines: number | undefined;
  readonly encoding: string | undefined;
  /** How CSV has dates, and its decimal separator. */
  readonly dates: DateOrder | undefined;
  readonly decimal: DecimalMark | undefined;
  /** Texts that are NULL in columns of numbers and dates. */
  readonly nulls: readonly string[] | undefined;
  readonly create: boolean;
  /** Of a table that is made; no columns for no key. */
  readonly primaryKey: readonly string[] | undefined;
  readonly duplicates: 'error' | 'replace' | 'update' | 'ignore';
  /** The rows that are there are taken away first. */
  readonly isCleared: boolean;
  readonly map: ImportRowsOptions['map'];
  /** Of a statement of a script, or a row. */
  readonly afterError: AfterError;
  readonly isProgressShown: boolean;
  readonly input: AsyncIterable<Uint8Array | string>;
}

/** How CSV is read, as far as it is known. */
type ReadForm = { -readonly [K in keyof CsvForm]?: CsvForm[K] | undefined };

/** Rows into a table, or a script without one. */
export async function importFile(database: Database, call: ImportCall, output: Output): Promise<number> {
  const { file, table, create, primaryKey, duplicates, encoding, dates, decimal, nulls, map } = call;
  if (table === null && file !== null && !/\.sql$/i.test(decompressedName(file))) {
    throw new UsageError(`name the TABLE that the rows of ${file} go into`);
  }
  if (file !== null) checkFile(file);
  const input = file === null ? call.input : bytesOf(file);
  const onProgress = progressTo(output, call.isProgressShown, file === null ? 0 : statSync(file).size);
  const options = { onProgress, ...(encoding !== undefined && { encoding }) };
  if (table === null) {
    const source = (named: string, from: readonly string[]) => bytesOf(sourcePath(named, [file, ...from]));
    return importScript(database, input, call.afterError, { ...options, source }, output);
  }
  const form = rowFormOf(call.format, file, call.separator);
  const reading: ImportRowsOptions & ReadForm = {
    ...{
      table,
      ...form,
      escape: call.escape,
      skipLines: call.skipLines,
      create,
      duplicates,
      dates,
      decimal,
      map,
      emptied: call.isCleared,
    },
    ...(call.afterError === 'go_on' && { onError: error => tellRefused(error, output) }),
    ...(nulls && { nulls }),
    ...(primaryKey && { primaryKey }),
    ...options,
  };
  // What is no file is read once.
  const isFile = file !== null && statSync(file).isFile();
  const isReadTwice = create && isFile;
  if (isFile && reading.format === 'csv') Object.assign(reading, await formOf(file, encoding, reading));
  const plan = isReadTwice ? await planOf(file, reading) : [];
  const { rows } = await database.importRows(input, { ...reading, plan }).catch((error: unknown) => {
    if (!(error instanceof SqlError)) throw error;
    // What the package says of a table that it has made is in the words of its options.
    const hint = hintFor(error.errno, create, primaryKey !== undefined) ?? (create && error.hint && HINT_OF_PIPE);
    if (!hint) throw error;
    throw new SqlError(error.errno, error.sqlstate, error.message, undefined, hint);
  });
  await output.out(
    `${call.isProgressShown ? ownControl('\r') : ''}Rows processed: ${rows}\nImport completed successfully.\n`,
  );
  if (form.format === 'csv' && form.separator === undefined && isFile && reading.separator !== ',')
    output.error(`varve: fields are separated by ${JSON.stringify(reading.separator)}; --delim says what else\n`);
  if (call.escape === undefined && isFile && reading.escape === '\\')
    output.error("varve: a backslash makes data of what follows it; --escape '' says that it is data itself\n");
  if (call.skipLines === undefined && isFile && reading.skipLines)
    output.error(`varve: lines before the titles are skipped: ${reading.skipLines}; --skip-lines says how many\n`);
  if (!isReadTwice) return 0;
  if (form.format === 'csv') for (const note of await notesOf(file, call, reading)) output.error(note);
  const keyless = keyNote(plan, reading);
  if (keyless !== '') output.error(keyless);
  for (const note of strayNotes(plan, reading)) output.error(note);
  const short = shortLinesOf(plan);
  if (short !== undefined) {
    const lines = short.count === 1 ? `row ${short.row} has` : `${short.count} rows, from row ${short.row}, have`;
    output.error(`varve: ${lines} fewer fields than there are columns; what they lack is NULL\n`);
  }
  return 0;
}

/** Its message says which row it is about, and how that begins. */
function tellRefused(error: unknown, output: Output): void {
  output.error(`varve: skipped: ${messageOf(error)}\n`);
}

/** What columns are called in the table, as native Dolt reads it: an object of texts; here also null, for those that are left out. */
export function readColumnMap(file: string): Readonly<Record<string, string | null>> {
  const map: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const isName = (value: unknown) => typeof value === 'string' || value === null;
  if (typeof map !== 'object' || map === null || Array.isArray(map) || !Object.values(map).every(isName)) {
    throw new Error(`${file} maps no columns: write {"title": "column", …}, and null for a title that is left out`);
  }
  return map as Record<string, string | null>;
}

/** As of `sql`, a script that was to go on after errors ends well. */
async function importScript(
  database: Database,
  input: TextInput,
  afterError: AfterError,
  options: ImportSqlOptions,
  output: Output,
): Promise<number> {
  let failures = 0;
  const onError = (error: unknown, sql: string, line: number, file?: string): void => {
    failures++;
    output.error(describeFailure(error, sql, line, file));
    if (afterError === 'stop') throw new Stopped();
  };
  let warnings: ImportWarnings;
  try {
    ({ warnings } = await database.importSql(input, { ...options, onError }));
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    output.error('hint: the statements before it were run; --continue goes on behind one that fails\n');
    return 1;
  }
  const but = failures === 1 ? '1 statement' : `${failures} statements`;
  await output.out(failures === 0 ? 'Import completed successfully.\n' : `Import completed, but for ${but}.\n`);
  tellWarnings(warnings, output);
  return 0;
}

/** What a script has altered without an error. */
function tellWarnings({ count, first }: ImportWarnings, output: Output): void {
  if (count === 0) return;
  output.error(`varve: ${count === 1 ? '1 warning' : `${count} warnings`}:\n`);
  for (const { line, file, message, errno } of first)
    output.error(`  line ${line}${file === undefined ? '' : ` of ${file}`}: ${message} (${errno})\n`);
  if (count > first.length) output.error(`  and ${count - first.length} more\n`);
}

/** A script ends at an error that was told. */
class Stopped extends Error {}

/** What all rows of a file say of the table that is made for them. One that cannot be read says so when it is imported. */
async function planOf(file: string, reading: ImportRowsOptions): Promise<readonly PlannedColumn[]> {
  const { onProgress: _, ...quietly } = reading;
  return planRows(bytesOf(file), { ...quietly, allRows: true }).catch(() => []);
}

/** Columns that are text for a few values. */
function strayNotes(planned: readonly PlannedColumn[], reading: ImportRowsOptions): string[] {
  const key = reading.primaryKey ?? planned.slice(0, 1).map(({ name }) => name);
  return planned.flatMap(({ name, type, strays }) => {
    // A key is never NULL.
    if (strays === undefined || key.includes(name)) return [];
    const { texts, row, type: narrow } = strays;
    const options = texts.map(text => `--null '${text}'`).join(' ');
    return `varve: ${name} is ${type}, as row ${row} has '${texts[0]}' where others are ${narrow}; ${options} makes it NULL\n`;
  });
}

/** Why the first column is not the key, where no option names one. */
function keyNote(planned: readonly PlannedColumn[], { primaryKey, duplicates = 'error' }: ImportRowsOptions): string {
  const unfit = planned.find(column => column.unfit !== undefined);
  if (unfit?.unfit === undefined || primaryKey !== undefined) return '';
  const { value, row } = unfit.unfit;
  if (value !== null && duplicates !== 'error') return '';
  const why =
    value === null ? `row ${row} has none in it` : `row ${row} has ${unfit.name} '${value}' as one before, or too long`;
  return `varve: the table has no key, as ${why}; --pk COLUMN,… names one\n`;
}

/** So much of a file is looked at for what separates its fields, and for what stayed text. */
const HEAD_BYTES = 64 * 1024;

/** How the fields of a file are written, as far as that is not said. */
async function formOf(file: string, encoding: string | undefined, said: ImportRowsOptions): Promise<CsvForm> {
  const { text, isWhole } = await headOf(file, encoding);
  return findForm(text, isWhole, said);
}

async function headOf(file: string, encoding: string | undefined): Promise<{ text: string; isWhole: boolean }> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(new Uint8Array(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const read = buffer.subarray(0, bytesRead);
    const isCompressed = isGzip(read);
    const bytes = isCompressed ? decompressedHead(read) : read;
    const marked =
      bytes[0] === 0xff && bytes[1] === 0xfe
        ? 'utf-16le'
        : bytes[0] === 0xfe && bytes[1] === 0xff
          ? 'utf-16be'
          : 'utf-8';
    return {
      text: new TextDecoder(encoding ?? marked).decode(bytes),
      isWhole: !isCompressed && bytesRead < HEAD_BYTES,
    };
  } finally {
    await handle.close();
  }
}

/** What the first bytes of a gzip file decompress to, as far as they are whole: the import reports damage. */
function decompressedHead(bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, HEAD_BYTES);
  } catch {
    return new Uint8Array();
  }
}

/** What could have been dates and numbers, and by which option. */
async function notesOf(
  file: string,
  { encoding, dates, decimal }: ImportCall,
  { separator = ',', escape: quoteEscape = '', skipLines = 0 }: ReadForm,
): Promise<string[]> {
  const { text, isWhole } = await headOf(file, encoding);
  const [, ...rows] = firstCsvRows(text, { separator, escape: quoteEscape, skipLines }, isWhole);
  const found = findForms(rows);
  const note = (example: string, kind: string, option: string, value: string): string =>
    `varve: ${kind} such as ${example} are text; ${option} ${value} makes ${kind} of them\n`;
  const notes: string[] = [];
  if (dates === undefined && found.dates !== undefined) {
    const order = found.dates === 'unclear' ? 'dmy, or mdy,' : found.dates;
    notes.push(note(found.exampleDate, 'dates', '--dates', order));
  }
  if (decimal === undefined && found.decimal !== undefined) {
    const mark = found.decimal === 'unclear' ? "',', or '.'," : `'${found.decimal}'`;
    notes.push(note(found.exampleNumber, 'numbers', '--decimal', mark));
  }
  return notes;
}
