/** Import, export and copies come with their first use: most visits of a page make none. */
import { checkedInput, checkOptions, IMPORT_ROWS } from '../checked.ts';
import type { Queries } from '../types.ts';
import type { Connection } from '../wire/connection.ts';
import type { FileSink } from './export/directory_sink.ts';
import type { CopyOptions, CopyTarget, DumpOptions, ExportRowsOptions } from './transfer_types.ts';

type Transfers = typeof import('./transfers.ts');

const load = (): Promise<Transfers> => import('./transfers.ts');

export const copyFiles: Transfers['copyFiles'] = async (...args) => (await load()).copyFiles(...args);

export const importRows: Transfers['importRows'] = async (...args) => (await load()).importRows(...args);

export const importSql: Transfers['importSql'] = async (...args) => (await load()).importSql(...args);

export const planRows: Transfers['planRows'] = async (input, options) => {
  checkOptions('planRows', options, IMPORT_ROWS, ['table', 'format']);
  const text = checkedInput('planRows', input);
  return (await load()).planRows(text, options);
};

/** What a browser can copy to. */
export async function browserSink(target: CopyTarget): Promise<FileSink> {
  return (await load()).browserSink(target);
}

export async function* dumpSql(queries: Queries, options?: DumpOptions): AsyncIterableIterator<string> {
  yield* (await load()).dumpSql(queries, options);
}

export async function* exportRows(queries: Queries, options: ExportRowsOptions): AsyncIterableIterator<string> {
  yield* (await load()).exportRows(queries, options);
}

export async function* zipFiles(connection: Connection, options: CopyOptions): AsyncIterableIterator<Uint8Array> {
  yield* (await load()).zipFiles(connection, options);
}
