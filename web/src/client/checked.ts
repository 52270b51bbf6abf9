/** Checks of the arguments of public calls, for callers without types: a wrong one is an error that lists what is accepted. */
import { VarveError } from './errors.ts';
import type { TextInput } from './transfer/transfer_types.ts';
import type { StreamOptions } from './types.ts';

/** What an option is; a list has the values that it may have. */
export type OptionKind =
  | 'text'
  | 'flag'
  | 'function'
  | 'signal'
  | 'texts'
  | 'count'
  | 'whole'
  | 'amount'
  | 'array'
  | 'object'
  | readonly (string | boolean)[];

export type OptionKinds = Readonly<Record<string, OptionKind>>;

const WORDS: Readonly<Record<string, string>> = {
  text: 'a string',
  flag: 'true or false',
  function: 'a function',
  signal: 'an AbortSignal',
  texts: 'an array of strings',
  count: 'a whole number of at least 1',
  whole: 'a whole number of at least 0',
  amount: 'a number of at least 0',
  array: 'an array',
  object: 'an object',
};

/**
 * Looks at the options of a call; those that are left out are undefined.
 *
 * @param required that have to be there
 * @throws VarveError `usage` that names the option and what it takes.
 */
export function checkOptions(
  call: string,
  options: unknown,
  kinds: OptionKinds,
  required: readonly string[] = [],
): void {
  if (options === undefined && required.length === 0) return;
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    const names = required.length > 0 ? `, with ${required.join(' and ')}` : '';
    throw new VarveError('usage', `${call}: options are an object${names}, got ${shown(options)}`);
  }
  const given = options as Record<string, unknown>;
  // By what is there, which is mostly nothing: every statement comes here.
  for (const name in given) {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (kind !== undefined && given[name] !== undefined) checkArgument(call, name, given[name], kind);
  }
  for (const name of required) {
    const kind = kinds[name];
    if (kind !== undefined && given[name] === undefined) checkArgument(call, name, undefined, kind);
  }
}

/** @throws VarveError `usage` for an argument that is not of the kind. */
export function checkArgument(call: string, name: string, value: unknown, kind: OptionKind): void {
  if (isOf(value, kind)) return;
  const listed = (one: string | boolean): string => (typeof one === 'string' ? `'${one}'` : String(one));
  const words = typeof kind === 'string' ? WORDS[kind] : kind.map(listed).join(', ');
  throw new VarveError('usage', `${call}: ${name} is ${words}, got ${shown(value)}`);
}

function isOf(value: unknown, kind: OptionKind): boolean {
  if (typeof kind !== 'string') return kind.includes(value as string);
  switch (kind) {
    case 'text':
      return typeof value === 'string';
    case 'flag':
      return typeof value === 'boolean';
    case 'function':
      return typeof value === 'function';
    case 'signal':
      return typeof (value as AbortSignal | null)?.addEventListener === 'function';
    case 'texts':
      return Array.isArray(value) && value.every(text => typeof text === 'string');
    case 'count':
      return Number.isSafeInteger(value) && (value as number) >= 1;
    case 'whole':
      return Number.isSafeInteger(value) && (value as number) >= 0;
    case 'amount':
      return typeof value === 'number' && value >= 0;
    case 'array':
      return Array.isArray(value);
    default:
      return typeof value === 'object' && value !== null && !Array.isArray(value);
  }
}

/** A value as an error names it: its kind, and itself where that is short. */
export function shown(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'boolean') return String(value);
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (typeof value === 'string') return value.length > 40 ? 'a string' : JSON.stringify(value);
  if (typeof value === 'symbol' || typeof value === 'function') return `a ${typeof value}`;
  return Array.isArray(value) ? 'an array' : `an object (${Object.prototype.toString.call(value).slice(8, -1)})`;
}

/** A text to read, whose pieces are looked at as they come. @throws VarveError `usage` for what is none */
export function checkedInput(call: string, input: unknown): TextInput {
  if (typeof input === 'string' || input instanceof Uint8Array || input instanceof Blob) return input;
  if (input instanceof ArrayBuffer) return new Uint8Array(input);
  if (ArrayBuffer.isView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  const iterable = input as Partial<AsyncIterable<unknown> & Iterable<unknown>> | null | undefined;
  const isIterable =
    typeof input === 'object' &&
    (typeof iterable?.[Symbol.asyncIterator] === 'function' || typeof iterable?.[Symbol.iterator] === 'function');
  const taken = 'a string, bytes (Uint8Array, ArrayBuffer), a Blob or File, or an iterable of strings or bytes';
  if (!isIterable) throw new VarveError('usage', `${call}: the text is ${taken}, got ${shown(input)}`);
  return checkedPieces(call, iterable as AsyncIterable<unknown>);
}

async function* checkedPieces(
  call: string,
  pieces: AsyncIterable<unknown>,
): AsyncIterableIterator<Uint8Array | string> {
  for await (const piece of pieces) {
    if (typeof piece === 'string' || piece instanceof Uint8Array) yield piece;
    else if (piece instanceof ArrayBuffer) yield new Uint8Array(piece);
    else throw new VarveError('usage', `${call}: a piece of the text is a string or bytes, got ${shown(piece)}`);
  }
}

const TRANSFER: OptionKinds = { signal: 'signal', onProgress: 'function' };
const FORMATS = ['csv', 'json', 'jsonl'] as const;

const IMPORT: OptionKinds = { ...TRANSFER, encoding: 'text', onError: 'function' };

export const IMPORT_SQL: OptionKinds = { ...IMPORT, source: 'function' };

export const IMPORT_ROWS: OptionKinds = {
  ...IMPORT,
  ...{
    table: 'text',
    format: FORMATS,
    separator: 'text',
    escape: ['', '\\'],
    skipLines: 'whole',
    dates: ['dmy', 'mdy'],
    decimal: [',', '.'],
    nulls: 'texts',
  },
  ...{ columns: 'texts', map: 'object', duplicates: ['error', 'replace', 'update', 'ignore'], emptied: 'flag' },
  ...{ create: 'flag', primaryKey: 'texts', numbered: 'text', allRows: 'flag', types: 'object', commitRows: 'count' },
};

export const EXPORT_ROWS: OptionKinds = {
  ...TRANSFER,
  ...{ format: FORMATS, separator: 'text', guardFormulas: 'flag', table: 'text', query: 'text' },
};

export const DUMP: OptionKinds = { ...TRANSFER, tables: 'texts', schemaOnly: 'flag', createDatabase: 'text' };

export const COPY: OptionKinds = TRANSFER;

export const OPEN: OptionKinds = {
  ...TRANSFER,
  readOnly: 'flag',
  acceptLoss: 'flag',
  blockingReads: 'flag',
  redirects: ['follow', 'error'],
  mode: ['mmap', 'pread', 'mmap-index'],
  durability: ['full', 'relaxed'],
  worker: 'object',
  credentials: 'function',
  budgetBytes: 'count',
  networkTimeoutMs: 'amount',
  cache: 'flag',
  cacheBytes: 'amount',
};

const STATEMENT: OptionKinds = { signal: 'signal', timeoutMs: 'amount', maxBytes: 'amount', files: 'object' };

export const LOG: OptionKinds = { ...STATEMENT, from: 'text', limit: 'whole', tables: 'texts' };

export const DIFF: OptionKinds = { ...STATEMENT, table: 'text', where: 'text' };

export const COMMIT: OptionKinds = {
  ...STATEMENT,
  message: 'text',
  all: [true, false, 'tracked'],
  amend: 'flag',
  allowEmpty: 'flag',
  author: 'text',
  date: 'text',
};

export const MERGE: OptionKinds = {
  ...STATEMENT,
  message: 'text',
  author: 'text',
  fastForward: ['no', 'only'],
  squash: 'flag',
};

const REMOTE: OptionKinds = { ...STATEMENT, remote: 'text', user: 'text', onProgress: 'function' };

export const FETCH: OptionKinds = { ...REMOTE, refs: 'texts', prune: 'flag' };

export const PULL: OptionKinds = { ...REMOTE, branch: 'text', fastForward: ['no', 'only'], squash: 'flag' };

export const PUSH: OptionKinds = { ...REMOTE, refs: 'texts', all: 'flag', force: 'flag', setUpstream: 'flag' };

export const CLONE: OptionKinds = {
  ...REMOTE,
  ...{ branch: 'text', singleBranch: 'flag', depth: 'count', lazy: 'flag', credentials: 'function' },
};

export const COMPLETE: OptionKinds = { ...STATEMENT, onProgress: 'function' };

export const LIVE: OptionKinds = { signal: 'signal', params: 'array', onError: 'function', whole: 'flag' };

/** An endless count of retries is one. */
export const TRANSACTION: OptionKinds = { retries: 'amount', readOnly: 'flag', isolation: ['serializable'] };

export const PREFETCH: OptionKinds = {
  ...STATEMENT,
  ...{ tables: 'texts', ref: 'text', history: 'flag', onProgress: 'function' },
};

export const VERIFY: OptionKinds = { ...STATEMENT, database: 'text', onProgress: 'function' };

const STREAM: OptionKinds = { ...STATEMENT, bufferedPages: 'amount' };

/** The options of a statement. @throws VarveError `usage` for what is none. */
export function checkedStatement<T extends StreamOptions>(call: string, options: T): T {
  if (options instanceof AbortSignal) throw new VarveError('usage', `A signal is an option: ${call}(…, { signal })`);
  checkOptions(call, options, STREAM);
  return options;
}

/** @throws VarveError `usage` for what nothing can be copied to */
export function checkTarget(target: unknown): void {
  const isTarget = typeof target === 'object' && target !== null;
  if (isTarget && 'directory' in target && isOf(target.directory, 'object')) return;
  if (isTarget && 'opfs' in target && typeof target.opfs === 'string' && target.opfs !== '') return;
  if (isTarget && 'path' in target && typeof target.path === 'string' && target.path !== '') return;
  throw new VarveError(
    'usage',
    `copyTo: the target is { directory }, { opfs: 'name' } or { path } in Node, got ${shown(target)}`,
  );
}
