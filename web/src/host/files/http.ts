/** Ranged GETs and what their answers mean. No HEAD: sizes come from Content-Range. */
import { FileFault } from './file.ts';
import type { Traffic } from './source.ts';

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
  /** Whether requests go on while nobody waits for them. */
  readonly isParallel: boolean;
  ask(url: string, range: string | null, traffic: Traffic): PendingAnswer;
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

/**
 * GET without blocking, tried again after passing failures.
 *
 * @throws FileFault when the server cannot be reached.
 */
export async function get(
  url: string,
  range: string | null,
  freshness: Freshness,
  traffic: Traffic,
): Promise<HttpAnswer> {
  for (let tried = 1; ; tried++) {
    try {
      traffic.requests++;
      const response = await fetch(url, {
        headers: range === null ? {} : { Range: range },
        // Browsers let ranged reads of one address wait for each other in their cache; the region is the cache here.
        cache: freshness === 'mutable' ? 'no-cache' : 'no-store',
      });
      const bytes = new Uint8Array(await response.arrayBuffer());
      traffic.bytes += bytes.length;
      if (!isPassing(response.status) || tried === TRIES) {
        return { status: response.status, header: name => response.headers.get(name), bytes };
      }
    } catch (error) {
      if (tried === TRIES) throw unreachable(url, error);
    }
    await new Promise(resolve => setTimeout(resolve, FIRST_PAUSE_MS * 2 ** (tried - 1)));
  }
}

/** A browser does not tell a page why another origin did not answer. */
const ELSEWHERE =
  '. Either nobody answers there, or that host lets no other site read it (Access-Control-Allow-Origin)';

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
