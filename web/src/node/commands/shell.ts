/** The interactive shell of `varve sql`. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Database } from '../../client/index.ts';
import { beginsClientLine, clientCommand } from '../../client/transfer/script/client_commands.ts';
import type { ResultForm } from '../render/renderer.ts';
import { escapeControls } from '../render/terminal.ts';
import { localFiles } from './local_files.ts';
import { type Output, printResult } from './output.ts';
import { PromptPlace } from './prompt_place.ts';
import { describeError, runScript } from './sql.ts';

const HISTORY_ENTRIES = 1000;
const HELP = `Statements end with ; or \\G (one line for each value). \\q or Ctrl-D leaves, Ctrl-C cancels, Tab completes.\n`;

/** A statement of several lines until its end is typed. */
export class Statements {
  #text = '';

  get isEmpty(): boolean {
    return this.#text.trim() === '';
  }

  clear(): void {
    this.#text = '';
  }

  /** Takes a line; gives the script when it is complete, and the form that its end asks for. */
  add(line: string): { readonly script: string; readonly form: ResultForm | null } | null {
    if (this.isEmpty && beginsClientLine(line.trim())) return { script: line.trim(), form: null };
    this.#text += `${line}\n`;
    const text = this.#text.trimEnd();
    const isVertical = /\\G$/.test(text);
    if (!isVertical && !text.endsWith(';')) return null;
    this.#text = '';
    return { script: isVertical ? text.slice(0, -2) : text, form: isVertical ? 'vertical' : null };
  }
}

/** The shell for a terminal. Resolves when the person leaves. */
export async function runShell(database: Database, form: ResultForm, output: Output): Promise<void> {
  const statements = new Statements();
  const history = readHistory();
  const reader = createInterface({
    input: process.stdin,
    output: process.stdout,
    history: [...history],
    historySize: HISTORY_ENTRIES,
    completer: (line: string, done: (error: null, found: [string[], string]) => void) => {
      complete(database, line).then(
        found => done(null, found),
        () => done(null, [[], line]),
      );
    },
  });
  let running: AbortController | null = null;
  const place = new PromptPlace(database);
  await place.read();
  const prompt = (): void => {
    const words = escapeControls(place.words);
    reader.setPrompt(statements.isEmpty ? `${words}> ` : `${' '.repeat(Math.max(0, words.length - 1))}-> `);
    reader.prompt();
  };
  reader.on('SIGINT', () => {
    if (running !== null) {
      running.abort(new Error('cancelled'));
      return;
    }
    statements.clear();
    process.stdout.write('^C\n');
    prompt();
  });
  await output.out(`Varve on ${database.databases.join(', ')}. ${HELP}`);
  prompt();
  for await (const line of reader) {
    if (statements.isEmpty && /^\s*(\\q|quit;?|exit;?)\s*$/i.test(line)) break;
    if (statements.isEmpty && /^\s*(\\h|help;?)\s*$/i.test(line)) await output.out(HELP);
    else {
      const complete = statements.add(line);
      if (complete !== null) {
        running = new AbortController();
        await runTyped(database, complete.script, complete.form ?? form, running.signal, output);
        running = null;
        await place.after(complete.script);
      }
    }
    prompt();
  }
  writeHistory((reader as Interface & { readonly history?: string[] }).history ?? history);
  reader.close();
  await place.close();
}

async function runTyped(
  database: Database,
  script: string,
  form: ResultForm,
  signal: AbortSignal,
  output: Output,
): Promise<void> {
  try {
    for (const { sql } of await database.split(script)) {
      if (clientCommand(sql) !== null) {
        await runScript(database, sql, form, output, { signal });
        continue;
      }
      const summary = await printResult(database.stream(sql, [], { signal, ...localFiles(sql) }), form, output);
      const seconds = (summary.stats.totalMs / 1000).toFixed(2);
      const rows = summary.hasRows
        ? `${summary.rowCount} ${summary.rowCount === 1 ? 'row' : 'rows'} in set`
        : `Query OK, ${summary.affectedRows} ${summary.affectedRows === 1 ? 'row' : 'rows'} affected`;
      await output.out(`${rows} (${seconds} sec)\n\n`);
    }
  } catch (error) {
    output.error(`${describeError(error)}\n`);
  }
}

async function complete(database: Database, line: string): Promise<[string[], string]> {
  const { from, items } = await database.complete(line, line.length);
  const word = line.slice(from).toLowerCase();
  return [
    items
      .map(({ label }) => label)
      .filter(label => label.toLowerCase().startsWith(word) && escapeControls(label) === label),
    line.slice(from),
  ];
}

/** Under the directory for state that the desktop conventions name. */
function historyPath(): string {
  return join(process.env.XDG_STATE_HOME ?? join(homedir(), '.local/state'), 'varve/history');
}

/** Newest first, as readline keeps it. */
function readHistory(): string[] {
  try {
    return readFileSync(historyPath(), 'utf8').split('\n').filter(Boolean).reverse();
  } catch {
    return [];
  }
}

function writeHistory(history: readonly string[]): void {
  try {
    mkdirSync(dirname(historyPath()), { recursive: true });
    writeFileSync(historyPath(), `${[...history].reverse().join('\n')}\n`, { mode: 0o600 });
  } catch {
    // A home that cannot be written to: the shell works without a history.
  }
}
