import { createInterface } from 'node:readline';
import { text as readAll } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import type { Database, OpenOptions, Source } from '../client/index.ts';
import { printLog } from './commands/log.ts';
import { type Output, UsageError } from './commands/output.ts';
import { JsonServer } from './commands/serve_json.ts';
import { runShell } from './commands/shell.ts';
import { describeError, runScript } from './commands/sql.ts';
import { printTables } from './commands/tables.ts';
import { RESULT_FORMS, type ResultForm } from './render/renderer.ts';

const USAGE = `usage: varve COMMAND …

  varve sql SOURCE [-q SQL] [-r FORM]   run SQL: given, piped, or typed into a shell
  varve log SOURCE [-n N] [--oneline]   commits of the current branch
  varve tables SOURCE                   tables and their numbers of rows
  varve serve-json                      answer requests on standard input, one JSON object a line

SOURCE is a Dolt database directory, a directory of several, a Dolt file remote, a zip or tar.gz of one of these, or
the http(s) address of one.

  -q, --query SQL      statements to run, separated by ;
  -r, --result FORM    table (default), csv, json, vertical or null
  -d, --database NAME  which database of SOURCE, and optionally which branch: NAME/BRANCH
      --mode MODE      how files are read: mmap (default), pread or mmap-index
`;

/** What the command line stands on; tests bring their own. */
export interface CommandLine {
  readonly open: (source: Source, options?: OpenOptions) => Promise<Database>;
  readonly output: Output;
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly useColor: boolean;
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
      line.output.error(`varve: ${error.message}\n\n${USAGE}`);
      return 2;
    }
    line.output.error(`varve: ${describeError(error)}\n`);
    return 1;
  }
}

async function dispatch([command, ...rest]: readonly string[], line: CommandLine): Promise<number> {
  switch (command) {
    case 'sql':
      return sql(rest, line);
    case 'log':
      return log(rest, line);
    case 'tables':
      return tables(rest, line);
    case 'serve-json':
      return serveJson(line);
    case 'help':
    case '--help':
    case '-h':
      await line.output.out(USAGE);
      return 0;
    default:
      throw new UsageError(command === undefined ? 'no command given' : `there is no command ${command}`);
  }
}

const COMMON = {
  database: { type: 'string', short: 'd' },
  mode: { type: 'string' },
} as const;

async function sql(args: string[], line: CommandLine): Promise<number> {
  const { values, positionals } = parse(args, {
    ...COMMON,
    query: { type: 'string', short: 'q' },
    result: { type: 'string', short: 'r' },
  });
  const form = formOf(values.result);
  return withDatabase(positionals, values, line, async database => {
    if (values.query !== undefined) return runScript(database, values.query, form, line.output);
    if (!line.input.isTTY) return runScript(database, await readAll(line.input), form, line.output);
    await runShell(database, form, line.output);
    return 0;
  });
}

async function log(args: string[], line: CommandLine): Promise<number> {
  const { values, positionals } = parse(args, {
    ...COMMON,
    number: { type: 'string', short: 'n' },
    oneline: { type: 'boolean' },
  });
  const limit = values.number === undefined ? null : Number(values.number);
  if (limit !== null && !(Number.isInteger(limit) && limit >= 0)) throw new UsageError('-n takes a number');
  const options = { limit, oneLine: values.oneline === true, useColor: line.useColor };
  return withDatabase(positionals, values, line, async database => {
    await printLog(database, options, line.output);
    return 0;
  });
}

async function tables(args: string[], line: CommandLine): Promise<number> {
  const { values, positionals } = parse(args, COMMON);
  return withDatabase(positionals, values, line, async database => {
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
  positionals: readonly string[],
  values: { readonly database?: string | undefined; readonly mode?: string | undefined },
  line: CommandLine,
  work: (database: Database) => Promise<number>,
): Promise<number> {
  const [source, ...more] = positionals;
  if (source === undefined) throw new UsageError('no SOURCE given');
  if (more.length > 0) throw new UsageError(`what is ${more.join(' ')}?`);
  const database = await line.open(source, modeOf(values.mode));
  for (const { name, message } of database.unreadable) line.output.error(`varve: ${name} is left out: ${message}\n`);
  try {
    if (values.database !== undefined) await database.query(`USE \`${values.database.replaceAll('`', '``')}\``);
    return await work(database);
  } finally {
    await database.close();
  }
}

function parse<T extends NonNullable<Parameters<typeof parseArgs>[0]>['options']>(args: string[], options: T) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
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
