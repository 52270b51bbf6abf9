/** An engine that understands a handful of words, behind the interface of the real one: for tests of host and client. */
import type { Column } from '../client/types.ts';
import type { Engine, Prepared, ReadCounters, Step } from '../host/engine.ts';
import type { HostDirectory } from '../host/files/file.ts';
import { HostFailure } from '../host/files/source.ts';
import type { Later } from '../host/later.ts';
import { type Loss, lossOf } from '../host/loss.ts';
import type { Wish } from '../host/wasm/wasm_exports.ts';
import {
  type Completions,
  type Failure,
  type PieceProgress,
  type StatementSpan,
  WISH,
  type WireParam,
  type WireScript,
} from '../protocol/index.ts';
import { columnOf, headerOf, pageOf } from './pages.ts';

const SUMMARY = { affectedRows: 0, lastInsertId: 0, warnings: [], info: '' } as const;

type Run = () => Later<Step>;

/**
 * `rows N`: N integers in pages of 10. `spin`: works for ever, one millisecond a call. `ok`: affects 3 rows.
 * `params`: the bound values as text. `fail …`: error 1064. `trap`: what a panic looks like. `slow`: suspends for 20 ms
 * before each of 3 rows; a cancel of its read ends it. `busy`: works in one call until it is cancelled.
 * `note TEXT`: adds to `notes` when it runs.
 */
export class FakeEngine implements Engine {
  readonly notes: string[] = [];
  /** What `busy` was told. */
  readonly wishes = new Set<Wish>();
  readonly attached: string[] = [];
  readonly openCursors = new Set<number>();
  readonly openStatements = new Map<number, string>();
  readonly openSessions = new Set<number>();
  isClosed = false;
  suspended = 0;
  interrupt: () => void = () => {};
  nextCalls = 0;
  /** Buffers of pages that came back. */
  takenBack = 0;
  #last = 0;

  #wish: () => Wish = () => WISH.goOn;

  watch(wish: () => Wish): void {
    this.#wish = wish;
  }

  readonly #runs = new Map<number, Run>();
  readonly #columns = new Map<number, Column | null>();

  attach(name: string, directory: HostDirectory): null {
    if (directory.open('.dolt/noms/manifest') === null && directory.open('manifest') === null) {
      throw new HostFailure({ kind: 'varve', code: 'unreadable', message: `${name}: no manifest` });
    }
    this.attached.push(name);
    return null;
  }

  openSession(): number {
    this.openSessions.add(++this.#last);
    return this.#last;
  }

  stateOf(): { readonly isInTransaction: boolean } {
    return { isInTransaction: false };
  }

  closeSession(session: number): void {
    this.openSessions.delete(session);
  }

  resetSession(): void {}

  prepare(session: number, sql: string): Prepared {
    this.#enter();
    if (!this.openSessions.has(session)) throw failure(1105, 'no such session');
    if (/^fail\b/.test(sql)) throw failure(1064, 'syntax error', 3);
    this.openStatements.set(++this.#last, sql);
    return { statement: this.#last, parameters: sql.split('?').length - 1 };
  }

  closeStatement(statement: number): void {
    this.openStatements.delete(statement);
  }

  execute(statement: number, params: readonly WireParam[]): number {
    this.#enter();
    const sql = this.openStatements.get(statement);
    if (sql === undefined) throw failure(1243, 'unknown statement');
    const [run, column] = this.#runOf(sql, params);
    const cursor = ++this.#last;
    this.openCursors.add(cursor);
    this.#runs.set(cursor, run);
    this.#columns.set(cursor, column);
    return cursor;
  }

  insertRows(statement: number): number {
    return this.execute(statement, []);
  }

  script(session: number, { bytes }: WireScript): number {
    const { statement } = this.prepare(session, new TextDecoder().decode(bytes));
    return this.execute(statement, []);
  }

  pieceProgress(): PieceProgress {
    return { start: 0, end: 0, doneBytes: 0, rows: 0 };
  }

  header(cursor: number): ArrayBuffer | null {
    this.#enter();
    const column = this.#columns.get(cursor) ?? null;
    return column === null ? null : headerOf([column]);
  }

  next(cursor: number): Later<Step> {
    this.#enter();
    this.nextCalls++;
    const run = this.#runs.get(cursor);
    if (run === undefined) throw new Error('a closed cursor was asked for more');
    return run();
  }

  takeBack(buffers: readonly ArrayBuffer[]): void {
    this.takenBack += buffers.length;
  }

  closeCursor(cursor: number): void {
    this.openCursors.delete(cursor);
    this.#runs.delete(cursor);
    this.#columns.delete(cursor);
  }

  split(script: string): StatementSpan[] {
    const spans: StatementSpan[] = [];
    for (const { 0: text, index } of script.matchAll(/[^;]+/g)) {
      const sql = text.trim();
      const start = index + text.indexOf(sql);
      if (sql !== '') spans.push({ sql, start, end: start + sql.length });
    }
    return spans;
  }

  analyze(): ReturnType<Engine['analyze']> {
    return { placeholders: [], rowQuery: null, names: [] };
  }

  checkPlaces(): void {}

  complete(_session: number, _sql: string, at: number): Completions {
    return { from: at, items: [{ label: 'SELECT', kind: 'keyword', detail: '' }] };
  }

  flush(): null {
    return null;
  }

  counters(): Record<string, number> {
    return { region_faults: this.nextCalls };
  }

  readCounters(): ReadCounters {
    this.#enter();
    return { pagesFaulted: this.nextCalls, bytesRead: 10 * this.nextCalls };
  }

  memoryBytes(): number {
    return 65536;
  }

  readonly isTooLarge = false;
  /** Whether the engine goes on after it has died. */
  canRestart = true;
  restarts = 0;

  get canMove(): boolean {
    return this.openCursors.size === 0;
  }

  async move(): Promise<boolean> {
    return this.canMove;
  }

  lose(error: unknown): Loss {
    this.openCursors.clear();
    return lossOf(error, null);
  }

  lostTransactions(): Iterable<[number, Failure]> {
    return [];
  }

  async restart(): Promise<void> {
    if (!this.canRestart) throw new Error('there is no other engine');
    this.restarts++;
  }

  close(): void {
    this.isClosed = true;
  }

  /** While a call is suspended, entering the engine again would corrupt its stack. */
  #enter(): void {
    if (this.suspended > 0) throw new Error('the engine was entered while it was suspended');
  }

  #runOf(sql: string, params: readonly WireParam[]): [Run, Column | null] {
    const [word, argument = ''] = sql.split(' ');
    switch (word) {
      case 'rows':
        return [rowsRun(Number(argument)), columnOf('n', 'int')];
      case 'spin':
        return [spinRun, columnOf('n', 'int')];
      case 'busy':
        return [() => this.#busyRun(), null];
      case 'params':
        return [rowsOf([params.map(String)]), columnOf('p', 'text')];
      case 'trap':
        return [trapRun, null];
      case 'slow':
        return [this.#slowRun(), columnOf('n', 'int')];
      case 'sleep':
        return [sleepRun(Number(argument)), columnOf('n', 'int')];
      case 'note':
        return [this.#noteRun(argument), null];
      default:
        return [() => ({ kind: 'done', summary: { ...SUMMARY, affectedRows: 3, lastInsertId: 7 } }), null];
    }
  }

  #noteRun(text: string): Run {
    return () => {
      this.notes.push(text);
      return { kind: 'done', summary: SUMMARY };
    };
  }

  #busyRun(): Step {
    for (;;) {
      const wish = this.#wish();
      this.wishes.add(wish);
      if (wish === WISH.end) throw failure(1317, 'interrupted');
    }
  }

  #slowRun(): Run {
    let row = 0;
    return () => {
      if (row === 3) return { kind: 'done', summary: SUMMARY };
      this.suspended++;
      return new Promise<Step>((resolve, reject) => {
        const timer = setTimeout(() => {
          this.suspended--;
          resolve({ kind: 'batch', rowCount: 1, page: pageOf([{ layout: 1, values: [row++] }]) });
        }, 20);
        this.interrupt = () => {
          clearTimeout(timer);
          this.suspended--;
          reject(failure(1317, 'the read was cancelled'));
        };
      });
    };
  }
}

function rowsRun(count: number): Run {
  const pages: number[][] = [];
  for (let start = 0; start < count; start += 10) {
    pages.push(Array.from({ length: Math.min(10, count - start) }, (_, index) => start + index));
  }
  return () => {
    const values = pages.shift();
    if (values === undefined) return { kind: 'done', summary: SUMMARY };
    return { kind: 'batch', rowCount: values.length, page: pageOf([{ layout: 1, values }]) };
  };
}

function rowsOf(pages: string[][]): Run {
  return () => {
    const values = pages.shift();
    if (values === undefined) return { kind: 'done', summary: SUMMARY };
    return { kind: 'batch', rowCount: values.length, page: pageOf([{ layout: 7, values }]) };
  };
}

function sleepRun(milliseconds: number): Run {
  const until = performance.now() + milliseconds;
  return () => {
    const left = Math.ceil(until - performance.now());
    return left > 0 ? { kind: 'sleep', milliseconds: left } : { kind: 'done', summary: SUMMARY };
  };
}

function spinRun(): Step {
  for (const end = performance.now() + 1; performance.now() < end; );
  return { kind: 'yield' };
}

function trapRun(): never {
  throw new WebAssembly.RuntimeError('unreachable');
}

function failure(errno: number, message: string, position: number | null = null): HostFailure {
  return new HostFailure({ kind: 'sql', errno, sqlstate: '42000', message, position });
}
