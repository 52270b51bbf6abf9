import type { Database, Row } from '../../client/index.ts';
import type { Output } from './output.ts';

export interface LogOptions {
  readonly limit: number | null;
  readonly oneLine: boolean;
  readonly useColor: boolean;
}

/** Prints the commits of the current branch, newest first, as `dolt log` does. */
export async function printLog(database: Database, options: LogOptions, output: Output): Promise<void> {
  const limit = options.limit === null ? '' : ` LIMIT ${options.limit}`;
  const names = await namesByCommit(database);
  const stream = database.stream(`SELECT commit_hash, committer, email, date, message FROM dolt_log${limit}`);
  for await (const row of stream.rows()) {
    const hash = String(row.commit_hash);
    await output.out(entryText(row, names.get(hash) ?? [], options));
  }
}

/** Branches and tags at each commit. */
async function namesByCommit(database: Database): Promise<Map<string, string[]>> {
  const names = new Map<string, string[]>();
  const add = (hash: unknown, name: string): void => {
    const known = names.get(String(hash));
    if (known === undefined) names.set(String(hash), [name]);
    else known.push(name);
  };
  for (const row of (await database.query('SELECT name, hash FROM dolt_branches')).rows)
    add(row.hash, String(row.name));
  for (const row of (await database.query('SELECT tag_name, tag_hash FROM dolt_tags')).rows) {
    add(row.tag_hash, `tag: ${row.tag_name}`);
  }
  return names;
}

function entryText(row: Row, names: readonly string[], { oneLine, useColor }: LogOptions): string {
  const yellow = (text: string): string => (useColor ? `\x1b[33m${text}\x1b[0m` : text);
  const decoration = names.length === 0 ? '' : ` ${yellow(`(${names.join(', ')})`)}`;
  const message = String(row.message);
  if (oneLine) return `${yellow(String(row.commit_hash))}${decoration} ${message.split('\n')[0]}\n`;
  const heading = `${yellow(`commit ${row.commit_hash}`)}${decoration}`;
  const indented = message
    .replace(/\n+$/, '')
    .split('\n')
    .map(line => `\t${line}\n`)
    .join('');
  return `${heading}\nAuthor: ${row.committer} <${row.email}>\nDate:  ${dateText(String(row.date))}\n\n${indented}\n`;
}

/** `Sat Nov 21 10:34:57 +0000 2026` of a UTC DATETIME. */
export function dateText(date: string): string {
  const moment = new Date(`${date.replace(' ', 'T')}Z`);
  if (Number.isNaN(moment.getTime())) return date;
  const [weekday, day, month, year, time] = moment.toUTCString().replace(',', '').split(' ');
  return `${weekday} ${month} ${day} ${time} +0000 ${year}`;
}
