/** The scheduler: turns of statements, yields, cancels and timeouts. */
import {
  type ExecuteRequest,
  type Failure,
  type PieceProgress,
  type Reply,
  type RowsReply,
  type Summary,
  WISH,
} from '../protocol/index.ts';
import { type Engine, type EngineSummary, EngineWait, type ReadCounters, type Step } from './engine.ts';
import { HostFailure, type Traffic } from './files/source.ts';
import { after, afterwards, type Exclusive, type Later } from './later.ts';
import { LocalFiles, type OpenLocalFile } from './local_files.ts';
import { LOST_BESIDE, type Loss } from './loss.ts';
import type { Reach } from './reach.ts';
import { costOf, costSince, type RemoteCost, RemoteCosts } from './remote_costs.ts';
import type { Wish } from './wasm/wasm_exports.ts';

/** After so long a statement makes room for messages and for other statements. */
const SLICE_MS = 4;
/** After so long in a call the engine returns as soon as it can. */
const CALL_MS = 16;
/** After this time in a call the client learns how to cancel it; also the interval at which a cancel is polled. */
const REACH_MS = 50;
/** The longest time that a timer takes. */
const SLEEP_MS_MAX = 2 ** 31 - 1;
/** Units of work that the engine may do before it looks up; adjusted so that a call takes about half a slice. */
const FUEL_FIRST = 4096;
const FUEL_MIN = 256;
const FUEL_MAX = 1 << 22;
/** A page with fewer rows is probably the last: its message waits for the summary. */
const FULL_PAGE_ROWS = 1024;

interface Task {
  readonly request: ExecuteRequest;
  readonly arrivedMs: number;
  readonly timer: ReturnType<typeof setTimeout> | null;
  readonly costBefore: RemoteCost;
  /** Statement of the engine, while one is prepared for this task alone. */
  ownStatement: number | null;
  cursor: number | null;
  credits: number;
  rowCount: number;
  firstRowMs: number | null;
  busyMs: number;
  /** Header or page that was not sent yet. */
  unsent: { header?: ArrayBuffer; page?: ArrayBuffer };
  hasRows: boolean;
  hasStarted: boolean;
  readBefore: ReadCounters;
  /** Why it must end: a cancel or its time limit. */
  ending: Failure | null;
  /** Set once a call has taken long; null where nothing reaches into one. */
  reach: Reach | null | undefined;
  /** It can go on when the source is prepared: a lease, a file. */
  isWaiting: boolean;
}

/** A cursor, and the header of its rows: null for a statement that has none, or none yet. */
interface Started {
  readonly cursor: number;
  readonly header: ArrayBuffer | null;
}

export interface SchedulerHost {
  readonly engine: Engine;
  readonly exclusive: Exclusive;
  reply(message: Reply, transfer: ArrayBuffer[]): void;
  /** Ends a read that the engine waits for. */
  interrupt(): void;
  /** Does what the engine has to wait for. */
  prepare(): Promise<void>;
  readonly openLocal: OpenLocalFile;
  /** For a cancel of a statement that is within a call; null where there is no way. */
  reach(): Reach | null;
  traffic(): Traffic;
  /** A statement has ended well. */
  ended(): void;
  /** A statement has failed. */
  failed(): void;
  /** The engine trapped. @param task that it was busy with. */
  died(error: unknown, task: number | null): void;
}

/**
 * Runs statements in slices, in turn. Within a session they run in order, except that one whose reader has not asked
 * for more does not hold up the next.
 */
export class Scheduler {
  readonly #host: SchedulerHost;
  readonly #pause: () => Promise<void>;
  #tasks: Task[] = [];
  #running: Task | null = null;
  #isPumping = false;
  #isStopped = false;
  /** The engine is being replaced. */
  #isPaused = false;
  /** Errors of the next statements of sessions whose transactions are lost. */
  readonly #lost = new Map<number, Failure>();
  readonly #costs = new RemoteCosts();
  #turn = 0;
  #fuel = FUEL_FIRST;
  /** Time in slices since messages and timers last had their turn. */
  #unpausedMs = 0;

  /** @param pause gives messages that have arrived their turn. */
  constructor(host: SchedulerHost, pause: () => Promise<void>) {
    this.#host = host;
    this.#pause = pause;
  }

  execute(request: ExecuteRequest): void {
    this.#tasks.push({
      request,
      arrivedMs: performance.now(),
      timer: this.#timerOf(request),
      costBefore: costOf(this.#host.traffic()),
      ownStatement: null,
      cursor: null,
      credits: request.credits,
      rowCount: 0,
      firstRowMs: null,
      busyMs: 0,
      unsent: {},
      hasRows: false,
      hasStarted: false,
      readBefore: { pagesFaulted: 0, bytesRead: 0 },
      ending: null,
      reach: undefined,
      isWaiting: false,
    });
    void this.#pump();
  }

  /** A session is closed. */
  forget(session: number): void {
    this.#costs.forget(session);
  }

  /** @param buffers of pages that the reader is done with. */
  credit(id: number, pages: number, buffers: readonly ArrayBuffer[]): void {
    this.#host.engine.takeBack(buffers);
    const task = this.#find(id);
    if (task === undefined) return;
    task.credits += pages;
    void this.#pump();
  }

  cancel(id: number): void {
    this.#end(id, CANCELLED);
  }

  /** Forgets everything, at the engine's end. */
  stop(): void {
    this.#isStopped = true;
    for (const task of this.#tasks) if (task.timer !== null) clearTimeout(task.timer);
    this.#tasks = [];
  }

  /** Whether no statement runs or waits. */
  get isIdle(): boolean {
    return this.#tasks.length === 0;
  }

  /** Statements wait, while the engine is replaced. */
  pauseAll(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    void this.#pump();
  }

  /**
   * The engine died: what runs has failed, what waits to begin waits for the next engine.
   *
   * @param culprit the statement that it died of, which fails with that error.
   * @param transactions errors of sessions whose transactions are lost.
   */
  lose(culprit: number | null, loss: Loss, transactions: Iterable<[number, Failure]>): void {
    this.#isPaused = true;
    for (const [session, failure] of transactions) this.#lost.set(session, failure);
    for (const task of this.#tasks) {
      const { id, session } = task.request;
      task.ownStatement = null;
      // Where another database of the thread had the engine die, what has not begun was not done.
      const isCulprit = id === culprit && (task.hasStarted || loss.failure !== LOST_BESIDE);
      if (!isCulprit && !task.hasStarted) continue;
      task.cursor = null;
      const failure = isCulprit ? loss.failure : (this.#lost.get(session) ?? LOST_BESIDE);
      this.#lost.delete(session);
      this.#fail(task, failure);
    }
  }

  #timerOf({ id, timeoutMs }: ExecuteRequest): Task['timer'] {
    // Where no timer takes so long a time, the clock is looked at.
    if (timeoutMs === null || timeoutMs > SLEEP_MS_MAX) return null;
    return setTimeout(() => this.#end(id, timeoutFailure()), timeoutMs);
  }

  /** Ends a statement at its next turn, or at once where it waits for the network. */
  #end(id: number, failure: Failure): void {
    const task = this.#find(id);
    if (task === undefined || task.ending !== null) return;
    task.ending = failure;
    if (task === this.#running) this.#host.interrupt();
    void this.#pump();
  }

  #find(id: number): Task | undefined {
    return this.#tasks.find(task => task.request.id === id);
  }

  async #pump(): Promise<void> {
    if (this.#isPumping) return;
    this.#isPumping = true;
    try {
      for (let task = this.#pick(); task !== null; task = this.#pick()) {
        const startedMs = performance.now();
        this.#running = task;
        try {
          await this.#slice(task);
        } catch (error) {
          this.#host.died(error, task.request.id);
        } finally {
          this.#running = null;
        }
        this.#unpausedMs += performance.now() - startedMs;
        // A reader in this thread takes each page and asks for more before messages and timers have a turn.
        const isRead = task.hasStarted && task.credits <= 0 && this.#unpausedMs >= SLICE_MS;
        if (this.#runnable() < 0 && !isRead) continue;
        await this.#pause();
        this.#unpausedMs = 0;
      }
    } finally {
      this.#isPumping = false;
    }
  }

  /** Gives the next task that can go on its turn. */
  #pick(): Task | null {
    const index = this.#runnable();
    if (index < 0) return null;
    this.#turn = index + 1;
    return this.#tasks[index] as Task;
  }

  /** Where the next task in turn is that can go on; -1 for none. Whose turn it is stays. */
  #runnable(): number {
    if (this.#isStopped || this.#isPaused) return -1;
    const count = this.#tasks.length;
    for (let step = 0; step < count; step++) {
      const index = (this.#turn + step) % count;
      const task = this.#tasks[index] as Task;
      if (task.ending !== null || (task.credits > 0 && !task.isWaiting && !this.#mustWait(index))) return index;
    }
    return -1;
  }

  #mustWait(index: number): boolean {
    const { session, beside } = (this.#tasks[index] as Task).request;
    const isAbout = ({ request }: Task): boolean => request.session === session || request.session === beside;
    return this.#tasks
      .slice(0, index)
      .some(earlier => isAbout(earlier) && !(earlier.hasStarted && earlier.credits <= 0));
  }

  async #slice(task: Task): Promise<void> {
    const startedMs = performance.now();
    try {
      if (!this.#mayGoOn(task)) return;
      const lost = this.#lostOf(task);
      if (lost !== undefined) {
        this.#fail(task, lost);
        return;
      }
      if (!task.hasStarted) {
        await this.#start(task);
        if (!task.hasStarted) return;
      }
      while (this.#mayGoOn(task)) {
        const beforeMs = performance.now();
        const cursor = task.cursor as number;
        const answered = this.#call(task, () => this.#next(cursor));
        if (!(answered instanceof Promise)) this.#adjustFuel(performance.now() - beforeMs);
        const { step, read } = answered instanceof Promise ? await answered : answered;
        if (this.#take(task, step, read)) return;
        if (task.credits <= 0 || performance.now() - startedMs >= SLICE_MS) break;
      }
      this.#flush(task);
    } catch (error) {
      if (error instanceof EngineWait) this.#wait(task, error.until ?? this.#host.prepare());
      else if (error instanceof HostFailure) this.#fail(task, task.ending ?? this.#overLimit(task) ?? error.failure);
      else throw error;
    } finally {
      task.busyMs += performance.now() - startedMs;
    }
  }

  /** What the session is to be told before the statement begins: once, and not where it begins anew. */
  #lostOf({ hasStarted, request }: Task): Failure | undefined {
    if (hasStarted || this.#lost.size === 0) return undefined;
    const lost = this.#lost.get(request.session);
    this.#lost.delete(request.session);
    return request.beside === undefined ? lost : undefined;
  }

  /**
   * Lets others run until what the engine waits for is there; then the same call is made again. Messages get a turn before: where nothing had to be
   * prepared, the engine waits for another statement (a commit for a collection), which may itself wait for an event.
   */
  #wait(task: Task, until: Promise<void>): void {
    task.isWaiting = true;
    const goOn = (): void => {
      task.isWaiting = false;
      void this.#pump();
    };
    const prepared = async (): Promise<void> => {
      await until;
      await this.#pause();
    };
    prepared().then(goOn, error => {
      if (error instanceof HostFailure) task.ending ??= error.failure;
      else this.#host.died(error, null);
      goOn();
    });
  }

  /** Whether the task may work; ends it when it must not. */
  #mayGoOn(task: Task): boolean {
    if (this.#mustEnd(task) && task.ending !== null) this.#fail(task, task.ending);
    return task.ending === null;
  }

  /** Timers do not fire within a slice, hence the clock. */
  #mustEnd(task: Task): boolean {
    const { timeoutMs } = task.request;
    if (timeoutMs !== null && performance.now() - task.arrivedMs >= timeoutMs) task.ending ??= timeoutFailure();
    return task.ending !== null;
  }

  /** Calls the engine for a task, which the engine may end by itself where a call takes long. */
  #call<T>(task: Task, call: () => Later<T>): Later<T> {
    const { engine, exclusive } = this.#host;
    return exclusive.run(() => {
      const { session } = task.request;
      engine.watch(this.#wishOf(task), number => this.#costs.figure(session, number));
      const traffic = this.#host.traffic();
      traffic.isOverLimit = false;
      traffic.limitBytes = task.costBefore.bytes + (task.request.maxBytes ?? Number.POSITIVE_INFINITY);
      // Calls outside of a statement are not interrupted.
      return afterwards(call, () => {
        traffic.limitBytes = Number.POSITIVE_INFINITY;
        engine.watch(() => WISH.goOn);
      });
    });
  }

  /** Why a statement failed that may fetch no more. */
  #overLimit({ request }: Task): Failure | null {
    const traffic = this.#host.traffic();
    if (request.maxBytes === undefined || !traffic.isOverLimit) return null;
    traffic.isOverLimit = false;
    const message = `The statement would fetch more than ${request.maxBytes} bytes from the network (maxBytes)`;
    return { kind: 'varve', code: 'max_bytes', message };
  }

  /** Asked within a call that begins now. */
  #wishOf(task: Task): () => Wish {
    const startedMs = performance.now();
    let reachedMs = startedMs;
    return () => {
      if (this.#mustEnd(task)) return WISH.end;
      const nowMs = performance.now();
      if (nowMs - startedMs < CALL_MS) return WISH.goOn;
      if (nowMs - reachedMs >= REACH_MS) {
        reachedMs = nowMs;
        if (this.#wasReached(task)) return WISH.end;
      }
      return WISH.yield;
    };
  }

  /** Whether the client has cancelled a statement that is within a call. */
  #wasReached(task: Task): boolean {
    if (task.reach === undefined) {
      task.reach = this.#host.reach();
      const { id } = task.request;
      if (task.reach !== null) this.#host.reply({ kind: 'busy', id, reach: task.reach.address }, []);
    } else if (task.reach?.isCancelled()) {
      task.ending ??= CANCELLED;
    }
    return task.ending !== null;
  }

  /** What is asked at the end is asked while the engine is certainly not suspended. */
  #next(cursor: number): Later<{ step: Step; read: ReadCounters | null }> {
    const { engine } = this.#host;
    return after(engine.next(cursor, this.#fuel), step => ({
      step,
      read: step.kind === 'done' ? engine.readCounters() : null,
    }));
  }

  async #start(task: Task): Promise<void> {
    const { engine, exclusive } = this.#host;
    const { session, beside, statement } = task.request;
    if (beside !== undefined) await exclusive.run(() => engine.resetSession(session, beside));
    if (typeof statement === 'object') {
      task.cursor = await this.#call(task, () => {
        task.readBefore = engine.readCounters();
        return engine.script(session, statement);
      });
      task.hasStarted = true;
      return;
    }
    let number: number;
    if (task.ownStatement !== null) {
      number = task.ownStatement;
    } else if (typeof statement === 'string') {
      const startedMs = performance.now();
      const answered = this.#call(task, () => {
        task.readBefore = engine.readCounters();
        return engine.prepare(session, statement);
      });
      number = (answered instanceof Promise ? await answered : answered).statement;
      task.ownStatement = number;
      if (beside === undefined && performance.now() - startedMs >= SLICE_MS) return;
    } else {
      number = statement;
    }
    const answered = this.#execute(task, number);
    const { cursor, header } = answered instanceof Promise ? await answered : answered;
    task.cursor = cursor;
    task.hasStarted = true;
    if (header !== null) {
      task.hasRows = true;
      task.unsent.header = header;
    }
  }

  #execute(task: Task, statement: number): Later<Started> {
    const { engine, openLocal } = this.#host;
    const { params, oddParams, files, rows } = task.request;
    const begin = (local?: LocalFiles): Later<Started> =>
      this.#call(task, () => {
        if (task.ownStatement === null) task.readBefore = engine.readCounters();
        if (oddParams !== undefined) engine.checkPlaces(statement, oddParams);
        const begun =
          rows === undefined ? engine.execute(statement, params, local) : engine.insertRows(statement, rows);
        return after(begun, cursor => ({ cursor, header: engine.header(cursor) }));
      });
    if (files === undefined) return begin();
    return LocalFiles.open(files, openLocal).then(async local => {
      try {
        return await begin(local);
      } finally {
        local.close();
      }
    });
  }

  /** Lets others run until a time has passed. */
  #sleep(task: Task, milliseconds: number): void {
    task.isWaiting = true;
    const wake = (): void => {
      task.isWaiting = false;
      void this.#pump();
    };
    setTimeout(wake, Math.min(milliseconds, SLEEP_MS_MAX));
  }

  /** Takes an answer of the engine; true when the task does not go on now. */
  #take(task: Task, step: Step, read: ReadCounters | null): boolean {
    switch (step.kind) {
      case 'yield':
        this.#flush(task);
        return false;
      case 'sleep':
        this.#flush(task);
        this.#sleep(task, step.milliseconds);
        return true;
      case 'result':
        this.#flush(task);
        task.hasRows = true;
        task.unsent.header = step.header;
        return false;
      case 'batch':
        if (!task.hasRows) this.#addHeader(task);
        if (task.unsent.page !== undefined) this.#flush(task);
        task.firstRowMs ??= performance.now() - task.arrivedMs;
        task.rowCount += step.rowCount;
        task.credits--;
        task.unsent.page = step.page;
        if (step.rowCount >= FULL_PAGE_ROWS) this.#flush(task);
        return false;
      case 'done':
        if (!task.hasRows) this.#addHeader(task);
        this.#finish(task, step.summary, read ?? task.readBefore);
        return true;
    }
  }

  #addHeader(task: Task): void {
    const header = this.#host.engine.header(task.cursor as number);
    if (header === null) return;
    task.hasRows = true;
    task.unsent.header = header;
  }

  #flush(task: Task): void {
    const { header, page } = task.unsent;
    if (header === undefined && page === undefined) return;
    task.unsent = {};
    this.#send({ kind: 'rows', id: task.request.id, ...parts(header, page) });
  }

  #finish(task: Task, known: EngineSummary, read: ReadCounters): void {
    const { header, page } = task.unsent;
    const summary = this.#summaryOf(task, known, read);
    this.#send({
      kind: 'rows',
      id: task.request.id,
      ...parts(header, page),
      summary,
      ...this.#progress(task),
      ...this.#state(task),
    });
    this.#release(task);
    this.#host.ended();
  }

  #summaryOf(task: Task, known: EngineSummary, read: ReadCounters): Summary {
    const totalMs = performance.now() - task.arrivedMs;
    const cost = costSince(task.costBefore, this.#host.traffic());
    return {
      ...known,
      hasRows: task.hasRows,
      rowCount: task.rowCount,
      stats: {
        firstRowMs: task.firstRowMs ?? totalMs,
        totalMs,
        busyMs: task.busyMs,
        pagesFaulted: read.pagesFaulted - task.readBefore.pagesFaulted,
        bytesRead: read.bytesRead - task.readBefore.bytesRead,
        requests: cost.requests,
        bytesFetched: cost.bytes,
        bytesFromCache: cost.cachedBytes,
        rounds: cost.rounds,
      },
    };
  }

  #fail(task: Task, failure: Failure): void {
    const more = { ...this.#progress(task), ...this.#state(task) };
    this.#release(task);
    this.#host.reply({ kind: 'failed', id: task.request.id, failure, ...more }, []);
    this.#host.failed();
  }

  #state({ request }: Task): Pick<RowsReply, 'state'> {
    const state = request.wantsState ? this.#host.engine.stateOf(request.session) : undefined;
    return state === undefined ? {} : { state };
  }

  /** How far a piece is, when nothing else can be in the engine. */
  #progress({ request, cursor }: Task): { piece?: PieceProgress } {
    const isPiece = typeof request.statement === 'object' || request.rows !== undefined;
    if (!isPiece || cursor === null) return {};
    return { piece: this.#host.engine.pieceProgress(cursor) };
  }

  #release(task: Task): void {
    const { cursor, ownStatement, timer } = task;
    this.#tasks = this.#tasks.filter(known => known !== task);
    if (timer !== null) clearTimeout(timer);
    task.reach?.close();
    this.#costs.add(task.request.session, costSince(task.costBefore, this.#host.traffic()));
    const { engine, exclusive } = this.#host;
    if (cursor === null && ownStatement === null) return;
    exclusive.run(() => {
      if (cursor !== null) engine.closeCursor(cursor);
      if (ownStatement !== null) engine.closeStatement(ownStatement);
    });
  }

  #send(reply: RowsReply): void {
    const { header, page } = reply;
    this.#host.reply(
      reply,
      [header, page].filter(buffer => buffer !== undefined),
    );
  }

  #adjustFuel(tookMs: number): void {
    // A call that took many slices is followed by one of its share.
    if (tookMs > SLICE_MS) this.#fuel = Math.max(FUEL_MIN, Math.floor(this.#fuel / Math.max(2, tookMs / SLICE_MS)));
    else if (tookMs < SLICE_MS / 4) this.#fuel = Math.min(FUEL_MAX, this.#fuel << 1);
  }
}

function parts(header: ArrayBuffer | undefined, page: ArrayBuffer | undefined): Pick<RowsReply, 'header' | 'page'> {
  return { ...(header !== undefined && { header }), ...(page !== undefined && { page }) };
}

const CANCELLED: Failure = { kind: 'varve', code: 'aborted', message: 'The statement was cancelled' };

/** ER_QUERY_TIMEOUT. */
function timeoutFailure(): Failure {
  const message = 'Query execution was interrupted, maximum statement execution time exceeded';
  return { kind: 'sql', errno: 3024, sqlstate: 'HY000', message, position: null };
}
