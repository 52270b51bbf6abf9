/** `varve log`: commits, newest first. */
import type { Database, Row } from '../../../client/index.ts';
import { paint } from '../../render/color.ts';
import { type Output, UsageError } from '../output.ts';
import { drawLines, drawOneLine } from './graph.ts';
import { statText } from './log_stat.ts';

const DECORATE = ['auto', 'short', 'full', 'no'] as const;
/** Whether names stand beside commits: `auto` on a terminal and in a graph. */
export type Decorate = (typeof DECORATE)[number];

/** @throws UsageError */
export function decorateOf(word: string | undefined): Decorate {
  const decorate = DECORATE.find(known => known === word);
  if (decorate === undefined) throw new UsageError(`--decorate takes ${DECORATE.join(', ')}`);
  return decorate;
}

export interface LogOptions {
  readonly limit: number | null;
  readonly oneLine: boolean;
  readonly graph: boolean;
  /** What each commit changed, below it; not in a graph, and not of merges. */
  readonly stat: boolean;
  readonly parents: boolean;
  readonly decorate: Decorate;
  /** Branches, commits, tags or ranges, HEAD by default; then tables, one of which the commits changed. */
  readonly words: readonly string[];
  /** Tables that need not be there any more. */
  readonly tables: readonly string[];
  /** Options of `dolt_log`, as it takes them. */
  readonly selection: readonly string[];
  readonly useColor: boolean;
}

/** What parseArgs does not know: `--not` takes words up to the next option, and behind `--` are tables. */
export function logWords(given: readonly string[]): { args: string[]; excluded: string[]; tables: string[] } {
  const end = given.indexOf('--');
  const [words, tables] = end < 0 ? [given, []] : [given.slice(0, end), given.slice(end + 1)];
  const [args, excluded]: [string[], string[]] = [[], []];
  let isExcluded = false;
  for (const word of words) {
    if (word.startsWith('-')) isExcluded = word === '--not';
    if (word === '--not') continue;
    if (word.startsWith('--not=')) excluded.push(word.slice('--not='.length));
    else (isExcluded ? excluded : args).push(word);
  }
  return { args, excluded, tables: [...tables] };
}

/** Prints commits, newest first, as `dolt log` does. */
export async function printLog(database: Database, call: LogOptions, output: Output): Promise<void> {
  // By itself Dolt tells the names on a terminal only, and in a graph.
  const isTold = output.isTerminal === true || call.graph;
  const options = call.decorate === 'auto' && !isTold ? { ...call, decorate: 'no' as const } : call;
  const names = options.decorate === 'no' ? new Map() : await namesByCommit(database, options.decorate === 'full');
  const all: Entry[] = [];
  const args = ['--parents', ...(await revisionsAndTables(database, options)), ...options.selection];
  const limit = options.limit === null ? '' : ` LIMIT ${options.limit}`;
  const columns = 'commit_hash, author, author_email, author_date, message, parents';
  const sql = `SELECT ${columns} FROM dolt_log(${args.map(() => '?').join(', ')})${limit}`;
  for await (const row of database.stream(sql, args).rows()) {
    const hash = String(row.commit_hash);
    const parents = String(row.parents ?? '')
      .split(', ')
      .filter(Boolean);
    const entry = {
      hash,
      parents,
      names: names.get(hash) ?? [],
      author: String(row.author),
      email: String(row.author_email),
      date: String(row.author_date),
      message: String(row.message),
    };
    if (options.graph) {
      all.push(entry);
      continue;
    }
    await output.out(`${entryLines(entry, options).join('\n')}\n`);
    const [parent] = parents;
    if (!options.stat || parents.length !== 1 || parent === undefined) continue;
    await output.out(await statText(database, parent, hash, options.useColor));
    if (!options.oneLine) await output.out('\n');
  }
  if (all.length > 0) await output.out(graphText(all, options));
}

function graphText(entries: readonly Entry[], options: LogOptions): string {
  const drawn = options.oneLine
    ? drawOneLine(entries.map((entry, index) => ({ ...entry, lines: [graphLine(entry, index, options)] })))
    : drawLines(entries.map(entry => ({ ...entry, lines: entryLines(entry, options).slice(0, -1) })));
  return `${drawn.join('\n')}\n`;
}

/** The first line has one space where the others have two, in native Dolt. */
function graphLine({ hash, names, message }: Entry, index: number, { useColor }: LogOptions): string {
  const beside = names.length === 0 ? '' : `${besideText(names, useColor)} `;
  const commit = paint(`commit ${hash}`, 'yellow', useColor);
  return `${commit}${index === 0 ? ' ' : '  '}${beside}${message.replaceAll('\n', ' ')}`;
}

/** @throws for a word that is neither. */
async function revisionsAndTables(database: Database, { words, tables }: LogOptions): Promise<string[]> {
  const isRevision = (word: string): Promise<boolean> =>
    database.query('SELECT 1 FROM dolt_log(?) LIMIT 1', [word]).then(
      () => true,
      (error: unknown) => {
        // No table is called like that: what is wrong with the range is said.
        if (word.includes('..')) throw error;
        return false;
      },
    );
  let count = 0;
  while (count < words.length && (await isRevision(words[count] as string))) count++;
  const named = words.slice(count);
  const known =
    named.length === 0 ? [] : (await database.query('SHOW TABLES')).rows.map(row => String(Object.values(row)[0]));
  const missing = named.find(table => !known.includes(table));
  if (missing !== undefined) throw new Error(`error: table ${missing} does not exist`);
  const all = [...named, ...tables];
  return [...words.slice(0, count), ...(all.length === 0 ? [] : ['--tables', all.join(',')])];
}

/** Prints one commit; after `dolt commit` and the like. */
export async function printCommit(
  database: Database,
  from: string,
  useColor: boolean,
  output: Output,
  decorate: Decorate = 'auto',
  parents = false,
): Promise<void> {
  const shape = { oneLine: false, graph: false, stat: false, parents, decorate, useColor };
  const options: LogOptions = { limit: 1, words: [from], tables: [], selection: [], ...shape };
  await printLog(database, options, output);
}

/** A branch or tag beside a commit. */
interface Name {
  readonly kind: 'current' | 'branch' | 'tag';
  readonly name: string;
}

/** The names in brackets. */
function besideText(names: readonly Name[], useColor: boolean): string {
  const yellow = (text: string): string => paint(text, 'yellow', useColor);
  const told = names.map(({ kind, name }) => {
    if (kind === 'tag') return paint(`tag: ${name}`, 'brightYellow', useColor);
    return (kind === 'current' ? paint('HEAD -> ', 'cyanBold', useColor) : '') + paint(name, 'brightGreen', useColor);
  });
  return `${yellow('(')}${told.join(yellow(', '))}${yellow(')')}`;
}

/** Branches and tags at each commit; the current branch comes first. */
async function namesByCommit(database: Database, isFull: boolean): Promise<Map<string, Name[]>> {
  const [heads, tags] = isFull ? ['refs/heads/', 'refs/tags/'] : ['', ''];
  const names = new Map<string, Name[]>();
  const add = (hash: unknown, name: Name): void => {
    const known = names.get(String(hash));
    if (known === undefined) names.set(String(hash), [name]);
    else known.push(name);
  };
  const rowsOf = async (sql: string): Promise<readonly Row[]> => (await database.query(sql)).rows;
  const current = (await rowsOf('SELECT active_branch() AS name'))[0]?.name;
  const branches = await rowsOf('SELECT name, hash FROM dolt_branches');
  for (const { name, hash } of branches.filter(({ name }) => name === current))
    add(hash, { kind: 'current', name: `${heads}${name}` });
  for (const { name, hash } of branches.filter(({ name }) => name !== current))
    add(hash, { kind: 'branch', name: `${heads}${name}` });
  for (const { tag_name, tag_hash } of await rowsOf('SELECT tag_name, tag_hash FROM dolt_tags')) {
    add(tag_hash, { kind: 'tag', name: `${tags}${tag_name}` });
  }
  return names;
}

interface Entry {
  readonly hash: string;
  readonly parents: readonly string[];
  readonly names: readonly Name[];
  readonly author: string;
  readonly email: string;
  readonly date: string;
  readonly message: string;
}

function entryLines(commit: Entry, { oneLine, graph, parents, useColor }: LogOptions): string[] {
  const yellow = (text: string): string => paint(text, 'yellow', useColor);
  const hashes = [commit.hash, ...(parents ? commit.parents : [])].join(' ');
  const names = commit.names.length > 0 ? besideText(commit.names, useColor) : '';
  // In a graph Dolt leaves a space out.
  const decoration = names === '' || graph ? names : ` ${names}`;
  if (oneLine) return [`${yellow(hashes)}${decoration} ${commit.message.replaceAll('\n', ' ')}`];
  const message = commit.message.replace(/\n+$/, '').split('\n');
  return [
    `${yellow(`commit ${hashes}`)}${decoration}`,
    ...(commit.parents.length > 1 ? [`Merge: ${commit.parents.join(' ')}`] : []),
    `Author: ${commit.author} <${commit.email}>`,
    `Date:${graph ? ' ' : '  '}${dateText(commit.date)}`,
    '',
    ...message.map(line => `\t${line}`),
    '',
  ];
}

/** `Sat Nov 21 10:34:57 +0000 2026` of a UTC DATETIME, to the nearest second; of tags Dolt cuts the fraction off. */
export function dateText(date: string, toWhole: (seconds: number) => number = Math.round): string {
  const milliseconds = Date.parse(`${date.replace(' ', 'T')}Z`);
  if (Number.isNaN(milliseconds)) return date;
  const moment = new Date(toWhole(milliseconds / 1000) * 1000);
  const [weekday, day, month, year, time] = moment.toUTCString().replace(',', '').split(' ');
  return `${weekday} ${month} ${day} ${time} +0000 ${year}`;
}
