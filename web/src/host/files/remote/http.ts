/** Ranged GETs and what their answers mean. No HEAD: sizes come from Content-Range. */
import { FileFault } from '../file.ts';
import type { Traffic } from '../source.ts';

/** What a server answered to a ranged GET. */
export interface HttpAnswer {
  readonly status: number;
  header(name: string): string | null;
  readonly bytes: Uint8Array;
}

export type RangeAnswer =
  | { readonly kind: 'absent' }
  /** The server ignored the range, or the file is empty. */
  | { readonly kind: 'whole'; readonly bytes: Uint8Array }
  | { readonly kind: 'part'; readonly start: number; readonly total: number; readonly bytes: Uint8Array }
  /** A part whose place the server did not tell: a server of another origin must expose Content-Range. */
  | { readonly kind: 'unplaced' };

/**
 * @throws FileFault for every status that is neither an answer nor "absent".
 */
export function interpret(url: string, answer: HttpAnswer): RangeAnswer {
  const { status, bytes } = answer;
  // Object stores say 403 of absent keys to those who may not list.
  if (status === 404 || status === 410 || status === 403) return { kind: 'absent' };
  if (status === 200) {
    // Hosts of single-page applications answer every unknown path with their page.
    if (answer.header('content-type')?.startsWith('text/html')) return { kind: 'absent' };
    return { kind: 'whole', bytes };
  }
  const place = /^bytes (?:(\d+)-\d+|\*)\/(\d+)$/.exec(answer.header('content-range') ?? '');
  // "Range not satisfiable" is how an empty file answers.
  if (status === 416 && Number(place?.[2] ?? 0) === 0) return { kind: 'whole', bytes: new Uint8Array() };
  if (status !== 206) throw new FileFault('host', `${url}: the server answered ${status}`);
  if (place?.[1] === undefined) return { kind: 'unplaced' };
  return { kind: 'part', start: Number(place[1]), total: Number(place[2]), bytes };
}

/** A network that answers while the caller waits, for engines whose stack cannot be suspended. */
export interface BlockingNetwork {
  /** Whether requests proceed without an event loop to wait for them. */
  readonly isParallel: boolean;
  /** Something will be asked soon: what takes time to start may start. */
  prepare?(): void;
  ask(url: string, range: string | null, traffic: Traffic, limit: ByteLimit): PendingAnswer;
  close(): void;
}

export interface PendingAnswer {
  /** Whether `wait` would not block. */
  hasCome(): boolean;
  /**
   * To be called once.
   *
   * @throws FileFault when the server cannot be reached.
   */
  wait(): HttpAnswer;
}

/** Statuses that a second try may cure. */
export function isPassing(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

export const TRIES = 3;
const FIRST_PAUSE_MS = 200;

/** Whether the browser's cache may answer: chunks never change, the manifest does. */
export type Freshness = 'immutable' | 'mutable';

/** How many bytes of an answer are taken. */
export interface ByteLimit {
  /** Of a part (206): what was asked for. More is not read. */
  readonly partBytes: number;
  /** Of a whole file (200). */
  readonly wholeBytes: number;
  /** Whether the beginning of a whole file is enough; else one that is larger is refused. */
  readonly isBeginningEnough: boolean;
}

/** What a server that knows no ranges may send. */
export const WHOLE_BYTES_MAX = 1024 * 1024 * 1024;

/** Of a file that is wanted as a whole. */
export function wholeLimit(bytes: number): ByteLimit {
  return { partBytes: bytes, wholeBytes: bytes, isBeginningEnough: false };
}

/** How long a server may take to answer, and from one piece of its answer to the next. */
export const NETWORK_TIMEOUT_MS = 30_000;

export interface GetOptions {
  readonly timeoutMs?: number | undefined;
  /** Whether an address that redirects is an error. Requests that block the worker cannot see one. */
  readonly refusesRedirects?: boolean | undefined;
  /** The source is closed. */
  readonly signal?: AbortSignal | undefined;
  /** The version that is here: a server that has no other one answers 304. */
  readonly etag?: string | null | undefined;
  /** Sends the request in place of the global `fetch`: over another client, or to where the bytes of this address are. */
  readonly fetch?: Fetch | undefined;
}

export type Fetch = (url: string, init: RequestInit) => Promise<GetResponse>;

/** What is used of a Response. */
export interface GetResponse {
  readonly status: number;
  readonly type?: string;
  readonly headers: { get(name: string): string | null };
  readonly body: {
    getReader(): PieceReader;
    cancel(): Promise<unknown>;
  } | null;
}

interface PieceReader {
  read(): Promise<{ readonly done?: boolean | undefined; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<unknown>;
}

/**
 * GET without blocking, tried again after passing failures.
 *
 * @throws FileFault that names the address, when the server cannot be reached, stops sending, or sends more than the limit.
 */
export async function get(
  url: string,
  range: string | null,
  freshness: Freshness,
  traffic: Traffic,
  limit: ByteLimit,
  options: GetOptions = {},
): Promise<HttpAnswer> {
  const { signal } = options;
  for (let tried = 1; ; tried++) {
    let pauseMs = FIRST_PAUSE_MS * 2 ** (tried - 1);
    try {
      traffic.requests++;
      const answer = await getOnce(url, range, freshness, traffic, limit, options);
      if (!isPassing(answer.status) || tried === TRIES) return answer;
      pauseMs = Math.max(pauseMs, retryAfterMs(answer));
    } catch (error) {
      if (signal?.aborted) throw new FileFault('cancelled', `${url}: the source was closed`);
      // A server that is silent once more is not waited for a third time.
      if (error instanceof FileFault && !(error instanceof Silence && tried === 1)) throw error;
      if (tried === TRIES) throw unreachable(url, error);
    }
    await new Promise(resolve => setTimeout(resolve, pauseMs));
  }
}

class Silence extends FileFault {}

async function getOnce(
  url: string,
  range: string | null,
  freshness: Freshness,
  traffic: Traffic,
  limit: ByteLimit,
  { timeoutMs = NETWORK_TIMEOUT_MS, refusesRedirects = false, signal, etag, fetch = globalThis.fetch }: GetOptions,
): Promise<HttpAnswer> {
  const silence = new AbortController();
  const fire = (): void => silence.abort(new Silence('host', silenceWords(url, timeoutMs)));
  let timer = setTimeout(fire, timeoutMs);
  const end = (): void => silence.abort(signal?.reason);
  signal?.addEventListener('abort', end);
  try {
    signal?.throwIfAborted();
    const response = await fetch(url, {
      headers: { ...(range !== null && { Range: range }), ...(etag && { 'If-None-Match': etag }) },
      // Browsers let ranged reads of one address wait for each other in their cache; the region is the cache here.
      cache: freshness === 'mutable' ? 'no-cache' : 'no-store',
      signal: silence.signal,
      ...(refusesRedirects && withoutRedirects(url)),
    });
    const { status, headers } = response;
    const isRedirect = response.type === 'opaqueredirect' || (status >= 300 && status < 400);
    if (refusesRedirects && isRedirect) throw new FileFault('host', redirectWords(url));
    const header = (name: string): string | null => headers.get(name);
    // Whatever else a server says, its status is all that counts.
    if (status !== 200 && status !== 206) {
      void response.body?.cancel().catch(() => {});
      return { status, header, bytes: new Uint8Array() };
    }
    const onPiece = (bytes: number): void => {
      traffic.bytes += bytes;
      clearTimeout(timer);
      timer = setTimeout(fire, timeoutMs);
    };
    return { status, header, bytes: await bodyOf(url, response, limit, onPiece) };
  } catch (error) {
    throw silence.signal.aborted ? silence.signal.reason : error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

/** A browser tells no page where a redirect leads; within the page's own origin it may be followed. */
function withoutRedirects(url: string): RequestInit {
  const isOwn = globalThis.location !== undefined && !isElsewhere(url);
  return isOwn ? { mode: 'same-origin' } : { redirect: 'manual' };
}

function redirectWords(url: string): string {
  return `${url}: the server redirects to another address, which was not requested, for a link may only lead to the address it names. Open the address that it redirects to`;
}

/** Reads up to the limit, and leaves the rest. */
async function bodyOf(
  url: string,
  response: GetResponse,
  { partBytes, wholeBytes, isBeginningEnough }: ByteLimit,
  onPiece: (bytes: number) => void,
): Promise<Uint8Array> {
  const isPart = response.status === 206;
  const limitBytes = isPart ? partBytes : wholeBytes;
  const pieces: Uint8Array[] = [];
  let length = 0;
  const reader = response.body?.getReader();
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done || value === undefined) break;
    onPiece(value.length);
    pieces.push(value.subarray(0, limitBytes - length));
    length += value.length;
    if (length < limitBytes || (length === limitBytes && !isPart && !isBeginningEnough)) continue;
    void reader.cancel().catch(() => {});
    if (length > limitBytes && !isPart && !isBeginningEnough)
      throw new FileFault('host', tooLargeWords(url, limitBytes));
    break;
  }
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined) return only;
  const bytes = new Uint8Array(Math.min(length, limitBytes));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

export function silenceWords(url: string, timeoutMs: number): string {
  return `${url}: the server sent nothing for ${timeoutMs / 1000} s. Try again, or open it with a longer networkTimeoutMs`;
}

export function tooLargeWords(url: string, limitBytes: number): string {
  return `${url}: the server sends more than the ${limitBytes.toLocaleString('en')} bytes that are taken of such a file. Check the address, or download it and open it from there`;
}

/** A server may say when to come back; for long it is not waited. */
const RETRY_AFTER_MS_MAX = 10_000;

function retryAfterMs(answer: HttpAnswer): number {
  const seconds = Number(answer.header('retry-after') ?? 0);
  return seconds > 0 ? Math.min(1000 * seconds, RETRY_AFTER_MS_MAX) : 0;
}

/** A browser does not tell a page why another origin did not answer. */
const ELSEWHERE =
  '. The server is unreachable, or it blocks cross-site access (CORS: no Access-Control-Allow-Origin header)';

function isElsewhere(url: string): boolean {
  const page = globalThis.location?.origin;
  return page !== undefined && URL.canParse(url) && new URL(url).origin !== page;
}

export function unreachable(url: string, error: unknown): FileFault {
  // Node says "fetch failed", and why in the cause.
  const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const { message = String(reason), code = 'unreachable' } = reason as {
    readonly message?: string;
    readonly code?: string;
  };
  return new FileFault('host', `${url} could not be fetched: ${message || code}${isElsewhere(url) ? ELSEWHERE : ''}`);
}
