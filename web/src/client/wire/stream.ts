/** Result streams: batches as they arrive, with flow control. */
import type { CancelReach, ColumnKind, ExecuteRequest, OddParam, Summary, WireParam } from '../../protocol/index.ts';
import { errorOf } from '../errors.ts';
import type { Batch, Column, ResultStream, ResultSummary, Row, StreamOptions } from '../types.ts';
import { PageBatch } from './batch.ts';
import type { Connection, ReplySink } from './connection.ts';
import { readHeader } from './header.ts';

const BUFFERED_PAGES = 4;
/** Buffers that go back with one credit: the host keeps no more. */
const RETURNED_MAX = 8;
export const KINDS_OF_BYTES: ReadonlySet<ColumnKind> = new Set(['binary', 'bit', 'geometry', 'vector']);

export interface StatementCall {
  readonly session: number;
  /** The session begins anew, where this one is. */
  readonly beside?: number;
  readonly statement: string | number;
  readonly params: readonly WireParam[];
  readonly oddParams?: readonly OddParam[];
}

interface Settled<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
}

/** A promise that may be ignored: its rejection is never "unhandled". */
function settled<T>(): Settled<T> {
  let resolve: (value: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  promise.catch(() => {});
  return { promise, resolve, reject };
}

/** Cancels a statement whose host reads no messages. */
function reachOut(reach: CancelReach): void {
  if (typeof reach === 'string') URL.revokeObjectURL(reach);
  else Atomics.store(new Int32Array(reach), 0, 1);
}

/** One running statement, seen from the client. */
export class StatementStream<R extends object = Row> implements ResultStream<R> {
  readonly #connection: Connection;
  readonly #columns = settled<readonly Column[]>();
  readonly #summary = settled<ResultSummary>();
  readonly #queue: Batch[] = [];
  readonly #signal: AbortSignal | undefined;
  #known: readonly Column[] = [];
  /** Columns of each result so far. */
  readonly resultColumns: (readonly Column[])[] = [];
  #id = 0;
  /** Pages that the host may send before it hears of us, and those of them that we took without telling it. */
  readonly #credits: number;
  #taken = 0;
  /** Buffers of released batches, which go back with the next credit. */
  #released: ArrayBuffer[] = [];
  #isOver = false;
  /** The host was told to end the statement. */
  #isCancelled = false;
  /** The signal has fired. */
  #isAborting = false;
  /** How the statement is reached while it is within a call of the engine. */
  #reach: CancelReach | null = null;
  #failure: { readonly error: unknown } | null = null;
  #wake: (() => void) | null = null;

  /** Starts the statement at once. */
  constructor(connection: Connection, call: StatementCall, options: StreamOptions) {
    this.#connection = connection;
    const { signal } = options;
    this.#signal = signal;
    this.#credits = Math.max(1, options.bufferedPages ?? BUFFERED_PAGES);
    if (signal?.aborted) {
      this.#fail(signal.reason);
      return;
    }
    const request: Omit<ExecuteRequest, 'id'> = {
      kind: 'execute',
      ...call,
      credits: this.#credits,
      timeoutMs: options.timeoutMs ?? null,
      ...(options.maxBytes !== undefined && { maxBytes: options.maxBytes }),
      ...(options.files && { files: options.files }),
    };
    this.#id = connection.send(request, this.#take);
    if (!this.#isOver) signal?.addEventListener('abort', this.#onAbort);
  }

  get [Symbol.toStringTag](): string {
    return 'ResultStream';
  }

  get columns(): Promise<readonly Column[]> {
    return this.#columns.promise;
  }

  get summary(): Promise<ResultSummary> {
    return this.#summary.promise;
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Batch> {
    try {
      for (;;) {
        const batch = this.#queue.shift();
        if (batch !== undefined) {
          this.#connectionCredit();
          yield batch;
        } else if (this.#failure !== null) {
          throw this.#failure.error;
        } else if (this.#isOver) {
          return;
        } else {
          await new Promise<void>(resolve => {
            this.#wake = resolve;
          });
        }
      }
    } finally {
      this.#discard();
    }
  }

  async *rows(): AsyncIterableIterator<R> {
    for await (const batch of this) {
      yield* batch.rows() as IterableIterator<object> as IterableIterator<R>;
      // Bytes in rows lie in the batch.
      if (!batch.columns.some(column => KINDS_OF_BYTES.has(column.kind))) batch.release();
    }
  }

  async cancel(): Promise<void> {
    this.#discard();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#discard();
  }

  /** Half of the credits at a time: a message costs both sides more than a page. */
  #connectionCredit(): void {
    this.#taken += 1;
    if (this.#isOver || 2 * this.#taken < this.#credits) return;
    const buffers = this.#released;
    this.#connection.tell({ kind: 'credit', id: this.#id, pages: this.#taken, buffers }, buffers);
    this.#taken = 0;
    this.#released = [];
  }

  readonly #take: ReplySink = reply => {
    // After a cancel the host still answers once; that answer is ignored.
    if (reply.kind === 'failed') {
      const { failure } = reply;
      const isAborted = this.#isAborting && failure.kind === 'varve' && failure.code === 'aborted';
      this.#fail(isAborted ? this.#signal?.reason : errorOf(failure));
      return true;
    }
    if (reply.kind === 'busy') {
      this.#reach = reply.reach;
      if (this.#isCancelled) reachOut(reply.reach);
    }
    if (reply.kind !== 'rows') return false;
    if (!this.#isOver) this.#takeRows(reply);
    return reply.summary !== undefined;
  };

  #takeRows(reply: { header?: ArrayBuffer; page?: ArrayBuffer; summary?: Summary }): void {
    if (reply.header !== undefined) {
      this.#known = readHeader(reply.header);
      this.resultColumns.push(this.#known);
      this.#columns.resolve(this.#known);
    }
    if (this.#isAborting) {
      // A change that was complete before it could be cancelled is one; rows are what was given up.
      if (reply.summary !== undefined && this.resultColumns.length > 0) this.#fail(this.#signal?.reason);
    } else if (reply.page !== undefined) {
      const resultIndex = Math.max(0, this.resultColumns.length - 1);
      this.#queue.push(new PageBatch(this.#known, reply.page, resultIndex, this.#takeBack));
    }
    if (reply.summary !== undefined && !this.#isOver) {
      this.#columns.resolve(this.#known);
      this.#summary.resolve(reply.summary);
      this.#finish();
    }
    this.#rouse();
  }

  readonly #takeBack = (buffer: ArrayBuffer): void => {
    if (!this.#isOver && this.#released.length < RETURNED_MAX) this.#released.push(buffer);
  };

  #fail(error: unknown): void {
    if (this.#isOver) return;
    this.#failure = { error };
    this.#columns.reject(error);
    this.#summary.reject(error);
    this.#finish();
    this.#rouse();
  }

  #finish(): void {
    this.#isOver = true;
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }

  #rouse(): void {
    const wake = this.#wake;
    this.#wake = null;
    wake?.();
  }

  /** The statement fails with the signal's reason once the host says that it has ended: until then it may go on, or be done. */
  readonly #onAbort = (): void => {
    this.#isAborting = true;
    this.#cancel();
  };

  #cancel(): void {
    this.#isCancelled = true;
    this.#queue.length = 0;
    this.#connection.tell({ kind: 'cancel', id: this.#id });
    if (this.#reach !== null) reachOut(this.#reach);
  }

  #discard(): void {
    this.#queue.length = 0;
    if (this.#isOver) return;
    this.#cancel();
    const error = new DOMException('The result was not read to its end', 'AbortError');
    this.#columns.reject(error);
    this.#summary.reject(error);
    this.#finish();
    this.#rouse();
  }
}
