/** The host: opens sources, runs requests of the client, and replaces an engine that died. */
import {
  type Failure,
  messageOf,
  type OpenedDatabase,
  type Reply,
  type Request,
  type Stats,
  type Storage,
  type UnreadableDatabase,
  type WireOpenOptions,
  type WireSource,
} from '../protocol/index.ts';
import { type AttachWarning, type Engine, EngineWait, type StartEngine, type TransactionEffect } from './engine.ts';
import { FileExport } from './file_export.ts';
import { FileFault } from './files/file.ts';
import type { Fetch } from './files/remote/http.ts';
import { HostFailure, hostFailure, noTraffic, type OpenedSource, type OpenSource } from './files/source.ts';
import { after, Exclusive, type Later } from './later.ts';
import type { OpenLocalFile } from './local_files.ts';
import { LOST_BESIDE, type Loss } from './loss.ts';
import type { Reach } from './reach.ts';
import type { Credentials, CredentialsRequest, OpenRemote, RemoteContext } from './remotes/remote_types.ts';
import { Remotes } from './remotes/remotes.ts';
import { Scheduler, type SchedulerHost } from './scheduler.ts';
import { Siblings } from './siblings.ts';

/** So long after a statement the engine is asked whether to commit what it left: not yet, where others follow closely. */
const SETTLE_MS = 4;

/** So long nothing was asked for before memory is given back, and looked at once more where something was open. */
const IDLE_MS = 2_000;

/** So often the engine may die without a statement in between: then it does so by itself, and another start would not help. */
const LOSSES_IN_VAIN_MAX = 3;

/** What a platform has for remotes. */
export interface RemotePlatform extends Pick<RemoteContext, 'network' | 'openCache' | 'scratch'> {
  readonly open: OpenRemote;
  /** From the environment; null where there are none. */
  readonly credentials: (request: CredentialsRequest) => Promise<Credentials | null>;
}

/** What a thread gives its host. */
export interface HostPlatform {
  readonly openSource: OpenSource;
  readonly startEngine: StartEngine;
  readonly remotes: RemotePlatform;
  /** Opens what a statement brought for LOAD DATA LOCAL. */
  readonly openLocal: OpenLocalFile;
  /** Whether the engine's stack can be suspended while it waits for the network. */
  readonly canSuspend: boolean;
  /** Sends GETs for bytes of remotes in place of the global `fetch`. */
  readonly fetch?: Fetch;
  /** Where tabs serve each other: what the engine says that a statement does to its transaction, once it is loaded. */
  readonly loadEffects?: () => Promise<(sql: string) => TransactionEffect>;
  /** Gives messages that have arrived their turn. */
  readonly pause: () => Promise<void>;
  /** Where the host has a thread of its own: how a cancel reaches a statement within a call. */
  readonly reach?: () => Reach | null;
  /** An instance of the engine was left: where memory comes back late by itself, this sees to it. */
  readonly onReleased?: () => void;
  readonly reply: (message: Reply, transfer: ArrayBuffer[]) => void;
}

interface Opened {
  readonly engine: Engine;
  readonly source: OpenedSource;
  readonly siblings: Siblings;
  readonly scheduler: Scheduler;
  readonly info: Omit<OpenedDatabase, 'session'>;
}

type Asked = Exclude<
  Request,
  { kind: 'execute' | 'credit' | 'cancel' | 'close_session' | 'close_statement' | 'credentials' }
>;

/** Serves one connection: one opened source, its engine, its sessions. */
export class Host {
  readonly #platform: HostPlatform;
  readonly #exclusive = new Exclusive();
  #opened: Opened | null = null;
  #isDead = false;
  #isEnded = false;
  /** Fires at the end: what is being opened then is given up. */
  readonly #opening = new AbortController();
  #flushTimer: ReturnType<typeof setTimeout> | undefined;
  #flushAtMs = Infinity;
  #idleTimer: ReturnType<typeof setTimeout> | undefined;
  #lastUsedMs = 0;
  #lossesInVain = 0;
  #restarting: Promise<void> | null = null;
  /** How often the engine went on in a fresh instance: to give memory back, and because it had died. */
  readonly #instances = { released: 0, lost: 0 };

  /** Those of remotes that wait for the client's answer. */
  readonly #questions = new Map<number, (credentials: Credentials | null) => void>();
  #lastQuestion = 0;

  constructor(platform: HostPlatform) {
    this.#platform = platform;
  }

  take(request: Request): void {
    if (this.#isDead) return;
    switch (request.kind) {
      case 'execute':
        if (this.#opened === null) this.#fail(request.id, notOpen().failure);
        else this.#opened.scheduler.execute(request);
        break;
      case 'credit':
        this.#opened?.scheduler.credit(request.id, request.pages, request.buffers ?? []);
        break;
      case 'cancel':
        this.#opened?.scheduler.cancel(request.id);
        break;
      case 'credentials':
        this.#questions.get(request.id)?.(request.credentials);
        break;
      case 'close_session':
        this.#opened?.scheduler.forget(request.session);
        this.#tell(engine => engine.closeSession(request.session));
        break;
      case 'close_statement':
        this.#tell(engine => engine.closeStatement(request.statement));
        break;
      default:
        void this.#answer(request);
    }
  }

  /** Another connection to what is open, with a session of its own. */
  async welcome(): Promise<OpenedDatabase> {
    const session = await this.#use(({ engine }) => engine.openSession());
    const info = this.#opened?.info;
    if (info === undefined) throw notOpen();
    return { ...info, session };
  }

  /** Gives back what is open, when the client went away without a word. */
  end(): void {
    this.#isEnded = true;
    this.#opening.abort(hostFailure('aborted', 'Opening was cancelled'));
    this.#close().catch(() => {});
  }

  /** Work without an answer. */
  #tell(work: (engine: Engine) => void): void {
    const engine = this.#opened?.engine;
    if (engine === undefined) return;
    const run = async () => this.#exclusive.run(() => work(engine));
    run().catch(error => this.#lose(error, null));
  }

  async #answer(request: Asked): Promise<void> {
    try {
      const reply = await this.#replyTo(request);
      this.#platform.reply(reply, reply.kind === 'bytes' ? [reply.bytes] : []);
    } catch (error) {
      if (error instanceof FileFault) this.#fail(request.id, asFailure(error).failure);
      else if (error instanceof HostFailure) this.#fail(request.id, error.failure);
      else if (this.#opened === null) this.#die(messageOf(error));
      else {
        const loss = this.#lose(error, null);
        if (loss === null) return;
        // Another one died: of this nothing was done.
        if (loss.failure === LOST_BESIDE) await this.#restarting?.then(() => this.#answer(request));
        else this.#fail(request.id, loss.failure);
      }
    }
  }

  async #replyTo(request: Asked): Promise<Reply> {
    const { id } = request;
    switch (request.kind) {
      case 'open':
        return { kind: 'opened', id, database: await this.#open(id, request.source, request.options) };
      case 'open_session':
        return { kind: 'session', id, session: await this.#use(({ engine }) => engine.openSession(request.image)) };
      case 'prepare': {
        const prepared = await this.#use(({ engine }) => engine.prepare(request.session, request.sql));
        return { kind: 'prepared', id, ...prepared };
      }
      case 'split':
        return { kind: 'statements', id, statements: await this.#use(({ engine }) => engine.split(request.sql)) };
      case 'complete': {
        const { session, sql, at } = request;
        const completions = await this.#use(({ engine }) => engine.complete(session, sql, at));
        return { kind: 'completions', id, completions };
      }
      case 'analyze': {
        const { session, sql } = request;
        return { kind: 'analysis', id, analysis: await this.#use(({ engine }) => engine.analyze(session, sql)) };
      }
      case 'stats':
        return { kind: 'stats', id, stats: await this.#use(opened => this.#statsOf(opened)) };
      case 'release_memory':
        return { kind: 'released', id, bytes: await this.#releaseMemory() };
      case 'list_files': {
        const files = await this.#use(({ engine, siblings }) =>
          after(engine.flush('all'), () => new FileExport(siblings.databases).list()),
        );
        return { kind: 'files', id, files };
      }
      case 'read_file': {
        const { path, offset, length } = request;
        const bytes = await this.#use(({ siblings }) => new FileExport(siblings.databases).read(path, offset, length));
        return { kind: 'bytes', id, bytes };
      }
      case 'close':
        await this.#close();
        return { kind: 'closed', id };
    }
  }

  /** Work that the engine answers, when nothing else is in it. */
  async #use<T>(work: (opened: Opened) => Later<T>): Promise<T> {
    const opened = this.#opened;
    if (opened === null) throw notOpen();
    return this.#patiently(opened.siblings, () => work(opened));
  }

  /** Makes a call of the engine, and makes it again as often as it has to wait. */
  async #patiently<T>(siblings: Siblings, work: () => Later<T>): Promise<T> {
    for (;;) {
      try {
        return await this.#exclusive.run(work);
      } catch (error) {
        if (!(error instanceof EngineWait)) throw error;
        await (error.until ?? prepare(siblings));
        // It may wait for another statement, which needs a turn of the event loop.
        await this.#platform.pause();
      }
    }
  }

  async #open(id: number, wire: WireSource, options: WireOpenOptions): Promise<OpenedDatabase> {
    if (this.#opened !== null) throw hostFailure('usage', 'This connection already has a database');
    const { openSource, startEngine, canSuspend } = this.#platform;
    const moved = (): void => this.#flushLater(SETTLE_MS);
    const ended = (): void => {
      this.#lossesInVain = 0;
      moved();
      this.#releaseLater();
    };
    const opening = openSource(wire, {
      canSuspend: canSuspend && !options.blockingReads,
      readOnly: options.readOnly,
      lockTimeoutMs: options.lockTimeoutMs,
      networkTimeoutMs: options.networkTimeoutMs,
      cacheBytes: options.cacheBytes,
      fetch: this.#platform.fetch,
      refusesRedirects: options.refusesRedirects,
      signal: this.#opening.signal,
      onProgress: progress => this.#platform.reply({ kind: 'opening', id, progress }, []),
      onMoved: () => {
        moved();
        this.#platform.reply({ kind: 'moved' }, []);
      },
      onWanted: () => this.#flush('wanted'),
    }).catch(error => {
      throw asFailure(error);
    });
    // The engine compiles while the files are opened.
    const starting = startEngine(options);
    starting.catch(() => {});
    const source = await opening;
    const engine = await starting.catch(error => {
      void source.close();
      throw error instanceof HostFailure
        ? error
        : hostFailure('unsupported', `The engine could not be loaded: ${messageOf(error)}`);
    });
    try {
      const siblings = new Siblings(source, this.#remotesOf(source, options));
      const { databases, unreadable, storage } = await this.#attach(engine, source, siblings);
      const session = await this.#patiently(siblings, () => engine.openSession());
      const info = { name: databases[0] ?? '', databases, unreadable, storage };
      this.#opened = { engine, source, siblings, scheduler: this.#schedulerOf(engine, source, siblings, ended), info };
      if (this.#isEnded) await this.#close();
      return { ...info, session };
    } catch (error) {
      if (error instanceof HostFailure) engine.close();
      const reason = error instanceof HostFailure ? null : engine.lose(error).reason;
      await source.close();
      throw reason === null ? error : new Error(reason);
    }
  }

  #remotesOf(source: OpenedSource, options: WireOpenOptions): Remotes {
    const { remotes, canSuspend, fetch } = this.#platform;
    const context: RemoteContext = {
      canSuspend: canSuspend && !options.blockingReads,
      network: remotes.network,
      traffic: source.traffic ?? noTraffic(),
      options: {
        timeoutMs: options.networkTimeoutMs,
        refusesRedirects: options.refusesRedirects,
        fetch,
        signal: this.#opening.signal,
      },
      openCache: remotes.openCache,
      scratch: remotes.scratch,
      cacheBytes: options.cacheBytes,
      lockTimeoutMs: options.lockTimeoutMs,
      credentials: async asked =>
        (options.asksCredentials ? await this.#askClient(asked) : null) ?? (await remotes.credentials(asked)),
    };
    return new Remotes(request => remotes.open(request, context), context.traffic);
  }

  /** Null where the database is closed before there is an answer. */
  async #askClient(asked: CredentialsRequest): Promise<Credentials | null> {
    const id = ++this.#lastQuestion;
    const { signal } = this.#opening;
    try {
      return await new Promise(resolve => {
        this.#questions.set(id, resolve);
        signal.addEventListener('abort', () => resolve(null), { once: true });
        this.#platform.reply({ kind: 'credentials_wanted', id, asked }, []);
      });
    } finally {
      this.#questions.delete(id);
    }
  }

  /** Attaches every database of the source. One that is damaged does not keep the others away. */
  async #attach(
    engine: Engine,
    source: OpenedSource,
    siblings: Siblings,
  ): Promise<Pick<OpenedDatabase, 'databases' | 'unreadable' | 'storage'>> {
    const databases: string[] = [];
    const unreadable: UnreadableDatabase[] = [];
    const warnings: AttachWarning[] = [];
    let failure: HostFailure | null = null;
    for (const { name, directory } of source.databases) {
      try {
        const warning = await this.#patiently(siblings, () => engine.attach(name, directory, siblings));
        databases.push(name);
        if (warning !== null) warnings.push(warning);
      } catch (error) {
        directory.renew?.();
        if (!(error instanceof HostFailure)) throw error;
        failure ??= error;
        unreadable.push({ name, message: error.message });
      }
    }
    if (databases.length === 0 && failure !== null) throw failure;
    return { databases, unreadable, storage: withWarnings(source.storage, warnings, databases.length) };
  }

  #schedulerOf(engine: Engine, source: OpenedSource, siblings: Siblings, ended: () => void): Scheduler {
    const host: SchedulerHost = {
      engine,
      exclusive: this.#exclusive,
      reply: this.#platform.reply,
      interrupt: () => {
        source.interrupt?.();
        siblings.remotes.interrupt();
      },
      prepare: () => prepare(siblings),
      openLocal: this.#platform.openLocal,
      reach: () => this.#platform.reach?.() ?? null,
      traffic: () => siblings.remotes.traffic,
      ended,
      failed: () => this.#releaseLater(),
      died: (error, task) => void this.#lose(error, task),
    };
    return new Scheduler(host, this.#platform.pause);
  }

  /** Asks the engine then what is due, unless it is asked before. */
  #flushLater(delayMs: number): void {
    const atMs = performance.now() + delayMs;
    if (atMs >= this.#flushAtMs) return;
    clearTimeout(this.#flushTimer);
    this.#flushAtMs = atMs;
    this.#flushTimer = setTimeout(() => {
      this.#flushAtMs = Infinity;
      this.#flush('due');
    }, delayMs);
  }

  /** Commits what statements have left, and flushes commits. */
  #flush(what: 'due' | 'wanted'): void {
    const engine = this.#opened?.engine;
    if (engine === undefined) return;
    const flush = async (): Promise<void> => {
      const delayMs = await this.#exclusive.run(() => engine.flush(what));
      if (delayMs !== null) this.#flushLater(delayMs);
    };
    flush().catch(error => {
      // A failed commit or flush is reported by the next commit.
      if (!(error instanceof HostFailure)) this.#lose(error, null);
    });
  }

  /** Gives memory back once nothing has come for a while, where there is much of it. */
  #releaseLater(): void {
    if (!this.#opened?.engine.isTooLarge) return;
    this.#lastUsedMs = performance.now();
    if (this.#idleTimer !== undefined) return;
    const look = (): void => {
      this.#idleTimer = undefined;
      const opened = this.#opened;
      if (!opened?.engine.isTooLarge) return;
      const idleMs = performance.now() - this.#lastUsedMs;
      if (!opened.scheduler.isIdle || idleMs < IDLE_MS) this.#idleTimer = quietTimer(look, IDLE_MS);
      // What is open may stay so for long.
      else this.#releaseMemory().then(released => released === 0 && this.#releaseLater(), ignoreFailure);
    };
    this.#idleTimer = quietTimer(look, IDLE_MS);
  }

  /**
   * Goes on in a fresh instance of the engine, for memory of an instance is never given back. Where something is open that another
   * instance could not have, nothing is done.
   *
   * @returns how many bytes are free
   */
  async #releaseMemory(): Promise<number> {
    const opened = this.#opened;
    if (opened === null) throw notOpen();
    const { engine, scheduler, siblings } = opened;
    const before = engine.memoryBytes();
    try {
      const isMoved = await this.#patiently(siblings, () => {
        if (!scheduler.isIdle) return false;
        return engine.move(() => prepare(siblings));
      });
      if (!isMoved) return 0;
      this.#instances.released++;
      this.#platform.onReleased?.();
      return Math.max(0, before - engine.memoryBytes());
    } catch (error) {
      if (!(error instanceof HostFailure)) this.#lose(error, null);
      throw error instanceof HostFailure ? error : hostFailure('died', messageOf(error));
    }
  }

  async #close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = null;
    clearTimeout(this.#flushTimer);
    clearTimeout(this.#idleTimer);
    if (opened === null) return;
    opened.scheduler.stop();
    opened.source.interrupt?.();
    opened.siblings.remotes.interrupt();
    try {
      await this.#patiently(opened.siblings, () => opened.engine.flush('all'));
    } finally {
      await this.#exclusive.run(() => opened.engine.close());
      await opened.siblings.remotes.close();
      await opened.source.close();
    }
  }

  #statsOf({ engine, source, siblings }: Opened): Stats {
    const { released, lost } = this.#instances;
    const { traffic } = siblings.remotes;
    return {
      memoryBytes: engine.memoryBytes(),
      requests: traffic.requests,
      bytesFetched: traffic.bytes,
      bytesFromCache: traffic.cachedBytes,
      rounds: traffic.rounds,
      cache: source.cacheState?.() ?? null,
      counters: { ...engine.counters(), engine_released: released, engine_lost: lost },
    };
  }

  #fail(id: number, failure: Failure): void {
    this.#platform.reply({ kind: 'failed', id, failure }, []);
  }

  /**
   * The engine trapped: what ran has failed, all else goes on in a fresh instance.
   *
   * @param task the statement that it was busy with
   * @returns its error; null where the engine cannot go on
   */
  #lose(error: unknown, task: number | null): Loss | null {
    const opened = this.#opened;
    if (opened === null || this.#isDead) return null;
    if (this.#restarting !== null) return { reason: messageOf(error), failure: LOST_BESIDE };
    const { engine, scheduler, siblings } = opened;
    const loss = engine.lose(error);
    if (++this.#lossesInVain > LOSSES_IN_VAIN_MAX) {
      this.#die(loss.reason);
      return null;
    }
    this.#instances.lost++;
    scheduler.lose(task, loss, engine.lostTransactions());
    const restart = async (): Promise<void> => this.#exclusive.run(() => engine.restart(() => prepare(siblings)));
    this.#restarting = restart().then(
      () => {
        this.#restarting = null;
        scheduler.resume();
      },
      cause => this.#die(`${loss.reason}; ${messageOf(cause)}`),
    );
    return loss;
  }

  /** The engine trapped and could not be started again: nothing of this connection can be trusted any more. */
  #die(reason: string): void {
    if (this.#isDead) return;
    this.#isDead = true;
    this.#opened?.scheduler.stop();
    void this.#opened?.source.close();
    this.#opened = null;
    clearTimeout(this.#idleTimer);
    const message = `The engine stopped, open the database again: ${reason}`;
    this.#platform.reply({ kind: 'died', failure: { kind: 'varve', code: 'died', message } }, []);
  }
}

/** Does what the engine has to wait for, in all databases: only those that were asked for something have work. */
async function prepare(siblings: Siblings): Promise<void> {
  try {
    await siblings.prepare();
    await Promise.all(siblings.databases.map(({ directory }) => directory.writes?.prepare()));
  } catch (error) {
    if (error instanceof HostFailure) throw error;
    const kind = error instanceof FileFault ? error.kind : null;
    throw hostFailure(
      kind === 'no_space' || kind === 'read_only' || kind === 'gone' ? kind : 'unreadable',
      messageOf(error),
    );
  }
}

/** A timer that keeps no process alive. */
function quietTimer(work: () => void, milliseconds: number): ReturnType<typeof setTimeout> {
  const timer = setTimeout(work, milliseconds);
  if (typeof timer === 'object') (timer as { unref?(): void }).unref?.();
  return timer;
}

/** No request to answer. */
function ignoreFailure(error: unknown): void {
  if (!(error instanceof HostFailure)) throw error;
}

/** The storage of databases with these warnings: read-only where nothing is written to any of them. */
function withWarnings(storage: Storage, found: readonly AttachWarning[], databases: number): Storage {
  const warnings = found.map(({ warning }) => warning);
  const isHeldBack = databases > 0 && found.filter(({ isHeldBack }) => isHeldBack).length === databases;
  if (!isHeldBack || storage.readOnly) return { ...storage, warnings };
  const readOnlyReason =
    'Its newest commit is lost: restore a copy, or open it with acceptLoss to go on from the older state';
  return { ...storage, readOnly: true, readOnlyReason, warnings };
}

function notOpen(): HostFailure {
  return hostFailure('usage', 'No database is open');
}

function asFailure(error: unknown): HostFailure {
  if (error instanceof HostFailure) return error;
  return hostFailure('unreadable', messageOf(error));
}
