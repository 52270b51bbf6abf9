/** `docs`: the documents of a database, which it keeps in `dolt_docs`. */
import { existsSync, readFileSync } from 'node:fs';
import type { Invocation } from './call.ts';
import { UsageError } from './output.ts';

/** The names that native Dolt's command line knows. */
const NAMES = ['README.md', 'LICENSE.md', 'AGENT.md'];

export async function docs({ database, args, output }: Invocation): Promise<number> {
  const [verb, name, file, ...more] = args;
  if (
    name === undefined ||
    more.length > 0 ||
    (verb !== 'print' && verb !== 'upload') ||
    (verb === 'upload') !== (file !== undefined)
  )
    throw new UsageError('docs takes print NAME, or upload NAME FILE');
  if (!NAMES.includes(name)) throw new Error(`invalid doc name '${name}', valid names are (${NAMES.join(', ')})`);
  if (file === undefined) {
    const { rows } = await database.query('SELECT doc_text FROM dolt_docs WHERE doc_name = ?', [name]);
    if (rows[0] !== undefined) await output.out(`${rows[0].doc_text}`);
    return 0;
  }
  if (!existsSync(file)) throw new Error(`${file} does not exist`);
  await database.query('REPLACE INTO dolt_docs VALUES (?, ?)', [name, readFileSync(file, 'utf8')]);
  return 0;
}
