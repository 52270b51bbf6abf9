/** `docs`: the documents of a database, which it keeps in `dolt_docs`. */
import { existsSync, readFileSync } from 'node:fs';
import type { Database } from '../../client/index.ts';
import type { Invocation } from './call.ts';
import { lineDiff } from './diff/diff.ts';
import { UsageError } from './output.ts';

/** The names that native Dolt's command line knows. */
const NAMES = ['README.md', 'LICENSE.md', 'AGENT.md'];

export async function docs({ database, args, output }: Invocation): Promise<number> {
  const [verb, name, file, ...more] = args;
  if (
    name === undefined ||
    more.length > 0 ||
    !['print', 'diff', 'upload'].includes(String(verb)) ||
    (verb === 'upload') !== (file !== undefined)
  )
    throw new UsageError('docs takes print NAME, diff NAME, or upload NAME FILE');
  if (!NAMES.includes(name)) throw new Error(`invalid doc name '${name}', valid names are (${NAMES.join(', ')})`);
  if (file === undefined) {
    const now = await textOf(database, 'WORKING', name);
    if (verb === 'print') await output.out(now);
    else await output.out(lineDiff(linesOf(await textOf(database, 'HEAD', name)), linesOf(now)));
    return 0;
  }
  if (!existsSync(file)) throw new Error(`${file} does not exist`);
  await database.query('REPLACE INTO dolt_docs VALUES (?, ?)', [name, readFileSync(file, 'utf8')]);
  return 0;
}

/** Nothing where there is no such document. */
async function textOf(database: Database, ref: 'HEAD' | 'WORKING', name: string): Promise<string> {
  const sql = `SELECT doc_text FROM dolt_docs AS OF '${ref}' WHERE doc_name = ?`;
  const { rows } = await database.query(sql, [name]);
  return String(rows[0]?.doc_text ?? '');
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}
