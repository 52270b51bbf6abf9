/** The command line: dispatch of commands, options and errors. */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { type Database, keepConflicts, type OpenOptions, type Source } from '../client/index.ts';
import { quoteName } from '../client/versions/versions.ts';
import { messageOf } from '../protocol/index.ts';
import type { Invocation } from './commands/call.ts';
import { fsck, tellLosses } from './commands/fsck.ts';
import { beginHistory } from './commands/init.ts';
import { decorateOf, logWords, printLog } from './commands/log/log.ts';
import { whyNone } from './commands/native_only.ts';
import { type Output, UsageError } from './commands/output.ts';
import { bytesOf, checkFile, scriptText } from './commands/script_file.ts';
import { JsonServer } from './commands/serve_json.ts';
import { runShell } from './commands/shell.ts';
import { describeError, runSavedQuery, runScript, saveQuery } from './commands/sql.ts';
import { exportWords, importWords, table } from './commands/table.ts';
import { printTables } from './commands/tables.ts';
import { importFile, readColumnMap, rowFormOf, writeAll } from './commands/transfer.ts';
import { printStatus } from './commands/versions/status.ts';
import { VERSION_CONTROL } from './commands/versions/version_control.ts';
import type { Edit } from './editor.ts';
import { introduce } from './identity.ts';
import { clone } from './index.ts';
import { PagerLeft, type Pages } from './pager.ts';
import { RESULT_FORMS, type ResultForm } from './render/renderer.ts';
import { meantWords, splitSource } from './source_word.ts';
import { briefUsage, usage, usageOf } from './usage.ts';
import { version } from './version.ts';

/** Environment of the command line; tests pass their own. */
export interface CommandLine {
  readonly open: (source: Source, options?: OpenOptions) => Promise<Database>;
  readonly output: Output;
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly useColor: boolean;
  /** Of the process: who commits, as native Dolt reads it. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** At a terminal: asks the user for a text. */
  readonly edit?: Edit;
  /** There, too: shows long outputs. */
  readonly openPages?: (output: Output) => Pages;
}

/**
 * Runs one command.
 *
 * @returns the exit code: 0, 1 for a failed statement or source, 2 for a wrong call.
 */
export async function runCommandLine(args: readonly string[], line: CommandLine): Promise<number> {
  try {
    return await dispatch(args, line);
  } catch (error) {
    if (error instanceof UsageError) {
      line.output.error(`varve: ${error.message}\n\n${briefUsage(commandOf(args))}`);
      return 2;
    }
    // Dolt's procedures begin some of their messages with what `varve:` says already.
    line.output.error(`varve: ${describeError(error).replace(/^error: /i, '')}\n`);
    return 1;
  }
}

/** The command that a call is about. */
function commandOf([first = '', second = '']: readonly string[]): string {
  return /^(help|--help|-h)$/.test(first) ? second : first;
}

async function dispatch([command, ...rest]: readonly string[], line: CommandLine): Promise<number> {
  if (command !== undefined && (rest.includes('--help') || rest[0] === '-h')) return help(command, line);
  switch (command) {
    case 'sql':
      return sql(rest, line);
    case 'log':
      return inPages(line, paged => log(rest, paged));
    case 'tables':
      return tables(rest, line);
    case 'init':
      return init(rest, line);
    case 'clone':
      return cloneCommand(rest, line);
    case 'status':
      return status(rest, line);
    case 'fsck':
      return fsckCommand(rest, line);
    case 'import':
      return importCommand(rest, line);
    case 'export':
      return exportCommand(rest, line);
    case 'dump':
      return dump(rest, line);
    case 'table':
      return tableCommand(rest, line);
    case 'serve-json':
      return serveJson(line);
    case 'serve': {
      // Few calls need the packages that speak gRPC.
      const { serveCommand } = await import('./commands/serve.ts');
      return serveCommand(rest, line.output, line.environment ?? {});
    }
    case 'help':
    case '--help':
    case '-h':
      return help(rest[0] ?? '', line);
    case 'version':
    case '--version':
      await line.output.out(`varve ${version()}\n`);
      return 0;
    default: {
      const known = command === undefined ? undefined : VERSION_CONTROL.get(command);
      if (command === 'reflog' && known !== undefined)
        return inPages(line, paged => versionControl(known, rest, paged));
      if (known !== undefined) return versionControl(known, meantWords(command, rest), line);
      const why = command === undefined ? undefined : whyNone(command);
      if (why !== undefined) throw new Error(why);
      throw new UsageError(command === undefined ? 'no command given' : `unknown command ${command}`);
    }
  }
}

/** At a terminal output goes through a pager, which the user may leave before the end. */
async function inPages(line: CommandLine, work: (line: CommandLine) => Promise<number>): Promise<number> {
  if (line.openPages === undefined) return work(line);
  const pages = line.openPages(line.output);
  try {
    return await work({ ...line, output: pages.output });
  } catch (error) {
    if (error instanceof PagerLeft) return 0;
    throw error;
  } finally {
    await pages.close();
  }
}

async function help(command: string, line: CommandLine): Promise<number> {
  const text = command === '' ? usage() : usageOf(command);
  if (text === undefined) throw new UsageError(`unknown command ${command}`);
  await line.output.out(text);
  return 0;
}

const COMMON = {
  database: { type: 'string', short: 'd' },
  mode: { type: 'string' },
} as const;

async function sql(args: string[], line: CommandLine): Promise<number> {
  const { values, positionals } = parse(withQueriesAttached(args), {
    ...COMMON,
    query: { type: 'string', short: 'q' },
    result: { type: 'string', short: 'r' },
    'result-format': { type: 'string' },
    file: { type: 'string', short: 'f' },
    continue: { type: 'boolean', short: 'c' },
    // Every script is read as it comes, in native Dolt too: there is nothing to choose.
    batch: { type: 'boolean', short: 'b' },
    save: { type: 'string', short: 's' },
    message: { type: 'string', short: 'm' },
    execute: { type: 'string', short: 'x' },
    'list-saved': { type: 'boolean', short: 'l' },
    encoding: { type: 'string' },
  });
  const { query, save, execute, file } = values;
  if (save !== undefined && query === undefined) throw new UsageError('--save keeps the query of -q');
  if (values.message !== undefined && save === undefined)
    throw new UsageError('-m describes a query that is saved: --save');
  const form = formOf(values['result-format'] ?? values.result);
  const { output } = line;
  const afterError = values.continue ? 'go_on' : 'stop';
  return withDatabase(onlySource(positionals), values, line, async database => {
    if (query !== undefined && save !== undefined)
      return saveQuery(database, { name: save, description: values.message ?? '', sql: query }, form, output);
    if (query !== undefined) return runScript(database, query, form, output, { afterError });
    if (execute !== undefined) return runSavedQuery(database, execute, form, output);
    if (values['list-saved']) return runScript(database, 'SELECT * FROM dolt_query_catalog', form, output);
    if (file !== undefined || !line.input.isTTY) {
      const path = fileOf(file);
      const script = await scriptOf(path, values.encoding, line);
      return runScript(database, script, form, output, { afterError, passesOver: true, around: [path] });
    }
    await runShell(database, form, output);
    return 0;
  });
}

/** A query may begin with a dash: that of a comment. */
function withQueriesAttached(args: readonly string[]): string[] {
  const words: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const word = args[index] as string;
    const query = word === '-q' || word === '--query' ? args[index + 1] : undefined;
    words.push(query?.startsWith('--') ? `--query=${args[++index]}` : word);
  }
  return words;
}

/** What is to be run: a file, or what comes through the pipe. */
async function scriptOf(path: string | null, encoding: string | undefined, line: CommandLine): Promise<string> {
  if (path !== null) checkFile(path);
  const input = path === null ? (line.input as AsyncIterable<Uint8Array | string>) : bytesOf(path);
  return scriptText(input, encoding);
}

async function log(given: string[], line: CommandLine): Promise<number> {
  const { args, excluded, tables } = logWords(given);
  const { values, positionals } = parse(args, {
    ...COMMON,
    number: { type: 'string', short: 'n' },
    oneline: { type: 'boolean' },
    graph: { type: 'boolean' },
    stat: { type: 'boolean' },
    parents: { type: 'boolean' },
    decorate: { type: 'string' },
    merges: { type: 'boolean' },
    'min-parents': { type: 'string' },
    all: { type: 'boolean' },
    'show-signature': { type: 'boolean' },
  });
  const limit = values.number === undefined ? null : Number(values.number);
  if (limit !== null && !(Number.isInteger(limit) && limit >= 0)) throw new UsageError('-n takes a number');
  const decorate = decorateOf(values.decorate ?? 'auto');
  const { source, words } = splitSource(positionals);
  const selection: string[] = [];
  if (values.merges) selection.push('--merges');
  if (values['min-parents'] !== undefined) selection.push('--min-parents', values['min-parents']);
  if (values.all) selection.push('--all');
  for (const revision of excluded) selection.push('--not', revision);
  const options = {
    limit,
    oneLine: values.oneline === true,
    graph: values.graph === true,
    stat: values.stat === true,
    parents: values.parents === true,
    decorate,
    words,
    tables,
    selection,
    useColor: line.useColor,
  };
  return withDatabase(source, values, line, async database => {
    await printLog(database, options, line.output);
    return 0;
  });
}

/** The words behind SOURCE are the procedure's. */
async function versionControl(
  command: (invocation: Invocation) => Promise<number>,
  given: readonly string[],
  line: CommandLine,
): Promise<number> {
  const { source, words: args } = splitSource(given);
  return withDatabase(source, {}, line, async database => {
    // They wait for the next command.
    await keepConflicts(database);
    return command({ database, source, args, output: line.output, useColor: line.useColor, edit: line.edit });
  });
}

async function init(args: string[], line: CommandLine): Promise<number> {
  const { values, positionals } = parse(args, {
    name: { type: 'string' },
    email: { type: 'string' },
    date: { type: 'string' },
    'initial-branch': { type: 'string', short: 'b' },
  });
  const [path = '.', ...more] = positionals;
  if (more.length > 0) throw new UsageError('init takes one directory');
  if (existsSync(join(path, '.dolt'))) {
    throw new Error(`${path === '.' ? 'this directory' : path} already contains a database`);
  }
  const { name, email, date, 'initial-branch': branch } = values;
  const database = await line.open({ path, create: true });
  try {
    const isKnown = line.environment !== undefined && (await introduce(database, path, line.environment));
    await beginHistory(database, path, { name, email, date, branch }, isKnown);
  } finally {
    await database.close();
  }
  await line.output.out('Successfully initialized dolt data repository.\n');
  return 0;
}

async function cloneCommand(args: string[], line: CommandLine): Promise<number> {
  const { values, positionals } = parse(args, {
    branch: { type: 'string', short: 'b' },
    'single-branch': { type: 'boolean' },
    depth: { type: 'string' },
    lazy: { type: 'boolean' },
    remote: { type: 'string' },
    user: { type: 'string' },
  });
  const [given, directory, ...more] = positionals;
  if (given === undefined || more.length > 0) throw new UsageError('clone takes a URL and a DIRECTORY');
  const depth = values.depth === undefined ? undefined : Number(values.depth);
  if (depth !== undefined && !(Number.isSafeInteger(depth) && depth >= 1))
    throw new UsageError('--depth takes a whole number of at least 1');
  // A directory is short for its address.
  const url = !given.includes('://') && existsSync(given) ? pathToFileURL(given).href : given;
  const path = directory ?? basename(url.replace(/[?#].*/, '').replace(/\/+$/, ''));
  if (existsSync(join(path, '.dolt'))) throw new Error(`${path} already contains a database`);
  const { branch, 'single-branch': singleBranch, lazy, remote, user } = values;
  await line.output.out(`cloning ${url}\n`);
  const database = await clone(url, { path }, { branch, singleBranch, depth, lazy, remote, user });
  await database.close();
  return 0;
}

async function status(args: string[], line: CommandLine): Promise<number> {
  const { values, positionals } = parse(args, { ...COMMON, ignored: { type: 'boolean' } });
  return withDatabase(onlySource(positionals), values, line, async database => {
    await printStatus(database, line.output, { withIgnored: values.ignored === true, useColor: line.useColor });
    return 0;
  });
}

async function fsckCommand(args: string[], line: CommandLine): Promise<number> {
  const { values, positionals } = parse(args, {
    ...COMMON,
    quiet: { type: 'boolean' },
    'revive-journal-with-data-loss': { type: 'boolean' },
  });
  if (values['revive-journal-with-data-loss'])
    throw new Error('fsck only verifies; to repair a journal run "dolt fsck" in the same directory');
  const source = onlySource(positionals);
  // A server that has the database does not keep it from being looked at.
  const open = () => line.open(source, { ...modeOf(values.mode), readOnly: true });
  const call = { database: values.database, isQuiet: values.quiet === true, useColor: line.useColor };
  return fsck(open, call, line.output);
}

const fileOf = (word: string | undefined): string | null => (word === undefined || word === '-' ? null : word);

/** The value of an option that takes one of a few. */
function oneOf<T extends string>(option: string, known: readonly T[], word: string | undefined): T | undefined {
  const found = known.find(one => one === word);
  if (word !== undefined && found === undefined) throw new UsageError(`${option} wants ${known.join(' or ')}`);
  return found;
}

async function importCommand(args: string[], line: CommandLine): Promise<number> {
  const { values, positionals } = parse(args, {
    ...COMMON,
    create: { type: 'boolean', short: 'c' },
    pk: { type: 'string' },
    format: { type: 'string' },
    delim: { type: 'string' },
    escape: { type: 'string' },
    'skip-lines': { type: 'string' },
    dates: { type: 'string' },
    decimal: { type: 'string' },
    null: { type: 'string', multiple: true },
    encoding: { type: 'string' },
    replace: { type: 'boolean' },
    update: { type: 'boolean' },
    ignore: { type: 'boolean' },
    map: { type: 'string', short: 'm' },
    clear: { type: 'boolean' },
    continue: { type: 'boolean' },
  });
  const { source, words } = splitSource(positionals);
  if (words.length === 0) throw new UsageError('no FILE given');
  if (words.length > 2) throw new UsageError(`what is ${words.slice(2).join(' ')}?`);
  const call = {
    file: fileOf(words.at(-1)),
    table: words.length === 2 ? (words[0] ?? null) : null,
    format: values.format,
    separator: delimiterOf(values.delim),
    escape: oneOf('--escape', ['', '\\'], values.escape),
    skipLines: lineCountOf(values['skip-lines']),
    encoding: values.encoding,
    dates: oneOf('--dates', ['dmy', 'mdy'], values.dates),
    decimal: oneOf('--decimal', [',', '.'], values.decimal),
    nulls: values.null,
    create: values.create === true,
    primaryKey: values.pk?.split(',').filter(name => name !== ''),
    duplicates: (['replace', 'update', 'ignore'] as const).find(way => values[way]) ?? 'error',
    isCleared: values.clear === true,
    map: values.map === undefined ? undefined : readColumnMap(values.map),
    afterError: values.continue ? 'go_on' : 'stop',
    isProgressShown: line.output.isTerminal === true,
    input: line.input as AsyncIterable<Uint8Array | string>,
  } as const;
  return withDatabase(source, values, line, database => importFile(database, call, line.output));
}

function lineCountOf(word: string | undefined): number | undefined {
  if (word === undefined) return undefined;
  if (!/^\d{1,9}$/.test(word)) throw new UsageError('--skip-lines wants a number of lines');
  return Number(word);
}

/** A tab is written `\t`. */
function delimiterOf(word: string | undefined): string | undefined {
  return word === '\\t' ? '\t' : word;
}

async function exportCommand(args: string[], line: CommandLine): Promise<number> {
  const { values, positionals } = parse(args, {
    ...COMMON,
    format: { type: 'string' },
    delim: { type: 'string' },
    'guard-formulas': { type: 'boolean' },
    force: { type: 'boolean', short: 'f' },
  });
  const { source, words } = splitSource(positionals);
  const [table, word, ...more] = words;
  if (table === undefined) throw new UsageError('no TABLE given');
  if (more.length > 0) throw new UsageError(`what is ${more.join(' ')}?`);
  const file = fileOf(word);
  return withDatabase(source, values, line, async database => {
    const form = rowFormOf(values.format, file, delimiterOf(values.delim));
    const rows = database.exportRows({ table, ...form, guardFormulas: values['guard-formulas'] === true });
    await writeAll(rows, file, values.force === true, line.output);
    return 0;
  });
}

async function tableCommand(args: readonly string[], line: CommandLine): Promise<number> {
  const { source, words } = splitSource(args);
  const [verb, ...rest] = words;
  if (verb === 'import') return importCommand([source, ...importWords(rest)], line);
  if (verb === 'export') return exportCommand([source, ...exportWords(rest)], line);
  return versionControl(table, args, line);
}

async function dump(args: string[], line: CommandLine): Promise<number> {
  const { values, positionals } = parse(args, {
    ...COMMON,
    'schema-only': { type: 'boolean' },
    'no-create-db': { type: 'boolean' },
    force: { type: 'boolean', short: 'f' },
  });
  const { source, words } = splitSource(positionals);
  const [word, ...more] = words;
  if (more.length > 0) throw new UsageError(`what is ${more.join(' ')}?`);
  return withDatabase(source, values, line, async database => {
    const name = values['no-create-db'] ? {} : { createDatabase: values.database?.split('/')[0] ?? database.name };
    const text = database.dump({ schemaOnly: values['schema-only'] === true, ...name });
    await writeAll(text, fileOf(word), values.force === true, line.output);
    return 0;
  });
}

async function tables(args: string[], line: CommandLine): Promise<number> {
  const { values, positionals } = parse(args, COMMON);
  return withDatabase(onlySource(positionals), values, line, async database => {
    await printTables(database, line.output);
    return 0;
  });
}

async function serveJson(line: CommandLine): Promise<number> {
  const server = new JsonServer(line.open);
  for await (const request of createInterface({ input: line.input })) {
    if (request.trim() !== '') await line.output.out(`${await server.answer(request)}\n`);
  }
  await server.close();
  return 0;
}

async function withDatabase(
  source: string,
  values: { readonly database?: string | undefined; readonly mode?: string | undefined },
  line: CommandLine,
  work: (database: Database) => Promise<number>,
): Promise<number> {
  const database = await line.open(source, modeOf(values.mode));
  for (const { name, message } of database.unreadable) line.output.error(`varve: ${name} is skipped: ${message}\n`);
  tellLosses(database, line.output);
  try {
    if (line.environment !== undefined) await introduce(database, source, line.environment);
    if (values.database !== undefined) await database.query(`USE ${quoteName(values.database)}`);
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Of a command that takes nothing else. */
function onlySource(positionals: readonly string[]): string {
  const { source, words } = splitSource(positionals);
  if (words.length > 0) throw new UsageError(`what is ${words.join(' ')}?`);
  return source;
}

function parse<T extends NonNullable<Parameters<typeof parseArgs>[0]>['options']>(args: string[], options: T) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    // Node adds how to pass a name that begins with a dash, which does not help with a mistyped option.
    const [message = ''] = messageOf(error).split(/(?<=')\. /);
    throw new UsageError(
      message
        .replace(/^Unknown option '(.*)'$/, 'unknown option $1')
        .replace(/^Option '(.*?)(?: <value>)?' argument (?:missing|is ambiguous)[\s\S]*$/, '$1 needs a value')
        .replace(/^Option '(.*?)' does not take an argument$/, '$1 takes no value'),
    );
  }
}

function formOf(word = 'table'): ResultForm {
  const known = word === 'tabular' ? 'table' : word;
  const form = RESULT_FORMS.find(name => name === known);
  if (form === undefined) throw new UsageError(`${word} is not a form of result: ${RESULT_FORMS.join(', ')}`);
  return form;
}

function modeOf(word: string | undefined): OpenOptions {
  if (word === undefined) return {};
  if (word === 'mmap' || word === 'pread' || word === 'mmap-index') return { mode: word };
  throw new UsageError(`${word} is not a mode: mmap, pread, mmap-index`);
}
