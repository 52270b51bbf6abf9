import type { Database, Row } from '../../client/index.ts';
import { Graph } from './graph.ts';
import type { Output } from './output.ts';

export interface LogOptions {
  readonly limit: number | null;
  readonly oneLine: boolean;
  readonly graph: boolean;
  readonly parents: boolean;
  /** A branch, commit, tag or range; HEAD by default. */
  readonly from: string | null;
  readonly useColor: boolean;
}

/** Prints commits, newest first, as `dolt log` does. */
export async function printLog(database: Database, options: LogOptions, output: Output): Promise<void> {
  const names = await namesByCommit(database);
  const graph = options.graph ? new Graph() : null;
  const limit = options.limit === null ? {} : { limit: options.limit };
  const from = options.from === null ? {} : { from: options.from };
  for await (const commit of database.log({ ...limit, ...from })) {
    const lines = entryLines({ ...commit, names: names.get(commit.hash) ?? [] }, options);
    const drawn = graph === null ? lines : graph.draw({ ...commit, lines });
    await output.out(`${drawn.join('\n')}\n`);
  }
}

/** Prints one commit; after `dolt commit` and the like. */
export async function printCommit(database: Database, from: string, useColor: boolean, output: Output): Promise<void> {
  const options = { limit: 1, oneLine: false, graph: false, parents: false, from, useColor };
  await printLog(database, options, output);
}

/** Branches and tags at each commit; the current branch comes first. */
async function namesByCommit(database: Database): Promise<Map<string, string[]>> {
  const names = new Map<string, string[]>();
  const add = (hash: unknown, name: string): void => {
    const known = names.get(String(hash));
    if (known === undefined) names.set(String(hash), [name]);
    else known.push(name);
  };
  const rowsOf = async (sql: string): Promise<readonly Row[]> => (await database.query(sql)).rows;
  const current = (await rowsOf('SELECT active_branch() AS name'))[0]?.name;
  const branches = await rowsOf('SELECT name, hash FROM dolt_branches');
  for (const { name, hash } of branches.filter(({ name }) => name === current)) add(hash, `HEAD -> ${name}`);
  for (const { name, hash } of branches.filter(({ name }) => name !== current)) add(hash, String(name));
  for (const { tag_name, tag_hash } of await rowsOf('SELECT tag_name, tag_hash FROM dolt_tags')) {
    add(tag_hash, `tag: ${tag_name}`);
  }
  return names;
}

interface Entry {
  readonly hash: string;
  readonly parents: readonly string[];
  readonly names: readonly string[];
  readonly author: string;
  readonly email: string;
  readonly date: string;
  readonly message: string;
}

function entryLines(commit: Entry, { oneLine, graph, parents, useColor }: LogOptions): string[] {
  const yellow = (text: string): string => (useColor ? `\x1b[33m${text}\x1b[0m` : text);
  const hashes = [commit.hash, ...(parents ? commit.parents : [])].join(' ');
  // Dolt tells the names on a terminal only, and in a graph, where it leaves a space out.
  const names = commit.names.length > 0 && (useColor || graph) ? yellow(`(${commit.names.join(', ')})`) : '';
  const decoration = names === '' || (graph && !oneLine) ? names : ` ${names}`;
  if (oneLine) return [`${yellow(hashes)}${decoration} ${commit.message.split('\n')[0]}`];
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

/** `Sat Nov 21 10:34:57 +0000 2026` of a UTC DATETIME, to the nearest second. */
export function dateText(date: string): string {
  const milliseconds = Date.parse(`${date.replace(' ', 'T')}Z`);
  if (Number.isNaN(milliseconds)) return date;
  const moment = new Date(Math.round(milliseconds / 1000) * 1000);
  const [weekday, day, month, year, time] = moment.toUTCString().replace(',', '').split(' ');
  return `${weekday} ${month} ${day} ${time} +0000 ${year}`;
}
