import {
  type Failure,
  messageOf,
  type OpenedDatabase,
  type Reply,
  type Request,
  type Stats,
  type UnreadableDatabase,
  type WireOpenOptions,
  type WireSource,
} from '../protocol/index.ts';
import { type Engine, EngineWait, type StartEngine } from './engine.ts';
import { FileExport } from './file_export.ts';
import { FileFault } from './files/file.ts';
import { HostFailure, hostFailure, type OpenedSource, type OpenSource } from './files/source.ts';
import { Exclusive, type Later } from './later.ts';
import type { OpenLocalFile } from './local_files.ts';
import { Scheduler, type SchedulerHost } from './scheduler.ts';
import { Siblings } from './siblings.ts';

/** So long after a statement the engine is asked whether to commit what it left: not yet, where others follow closely. */
const SETTLE_MS = 4;

/** What a thread gives its host. */
export interface HostPlatform {
  readonly openSource: OpenSource;
  readonly startEngine: StartEngine;
  /** Opens what a statement brought for LOAD DATA LOCAL. */
  readonly openLocal: OpenLocalFile;
  /** Whether the engine's stack can be suspended while it waits for the network. */
  readonly canSuspend: boolean;
  /** Gives messages that have arrived their turn. */
  readonly pause: () => Promise<void>;
  /** The engine trapped: gives its last words, and sees to it that the next engine gets a module of its own. */
  readonly onTrap: () => string | null;
  readonly reply: (message: Reply, transfer: ArrayBuffer[]) => void;
}

interface Opened {
  readonly engine: Engine;
  readonly source: OpenedSource;
  readonly siblings: Siblings;
  readonly scheduler: Scheduler;
  readonly info: Omit<OpenedDatabase, 'session'>;
}

type Asked = Exclude<Request, { kind: 'execute' | 'credit' | 'cancel' | 'close_session' | 'close_statement' }>;

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
      case 'close_session':
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
    this.#opening.abort(hostFailure('aborted', 'Opening was given up'));
    this.#close().catch(() => {});
  }

  /** Work without an answer. */
  #tell(work: (engine: Engine) => void): void {
    const engine = this.#opened?.engine;
    if (engine === undefined) return;
    const run = async () => this.#exclusive.run(() => work(engine));
    run().catch(error => this.#die(error));
  }

  async #answer(request: Asked): Promise<void> {
    try {
      const reply = await this.#replyTo(request);
      this.#platform.reply(reply, reply.kind === 'bytes' ? [reply.bytes] : []);
    } catch (error) {
      if (error instanceof FileFault) this.#fail(request.id, asFailure(error).failure);
      else if (error instanceof HostFailure) this.#fail(request.id, error.failure);
      else this.#die(error);
    }
  }

  async #replyTo(request: Asked): Promise<Reply> {
    const { id } = request;
    switch (request.kind) {
      case 'open':
        return { kind: 'opened', id, database: await this.#open(id, request.source, request.options) };
      case 'open_session':
        return { kind: 'session', id, session: await this.#use(({ engine }) => engine.openSession(request.place)) };
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
      case 'stats':
        return { kind: 'stats', id, stats: await this.#use(statsOf) };
      case 'list_files': {
        const files = await this.#use(({ engine, siblings }) => {
          engine.flush('all');
          return new FileExport(siblings.databases).list();
        });
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
        await prepare(siblings);
      }
    }
  }

  async #open(id: number, wire: WireSource, options: WireOpenOptions): Promise<OpenedDatabase> {
    if (this.#opened !== null) throw hostFailure('usage', 'This connection has a database already');
    const { openSource, startEngine, canSuspend } = this.#platform;
    // The engine compiles while the files are looked for.
    const starting = startEngine(options);
    starting.catch(() => {});
    const moved = (): void => this.#flushLater(SETTLE_MS);
    const source = await openSource(wire, {
      canSuspend: canSuspend && !options.blockingReads,
      readOnly: options.readOnly,
      lockTimeoutMs: options.lockTimeoutMs,
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
    const engine = await starting.catch(error => {
      void source.close();
      throw error instanceof HostFailure
        ? error
        : hostFailure('unsupported', `The engine could not be loaded: ${messageOf(error)}`);
    });
    try {
      const siblings = new Siblings(source);
      const { databases, unreadable } = await this.#attach(engine, source, siblings);
      const session = await this.#patiently(siblings, () => engine.openSession());
      const info = { name: databases[0] ?? '', databases, unreadable, storage: source.storage };
      this.#opened = { engine, source, siblings, scheduler: this.#schedulerOf(engine, source, siblings, moved), info };
      if (this.#isEnded) await this.#close();
      return { ...info, session };
    } catch (error) {
      if (error instanceof HostFailure) engine.close();
      await source.close();
      throw error;
    }
  }

  /** Attaches every database of the source. One that is damaged does not keep the others away. */
  async #attach(
    engine: Engine,
    source: OpenedSource,
    siblings: Siblings,
  ): Promise<Pick<OpenedDatabase, 'databases' | 'unreadable'>> {
    const databases: string[] = [];
    const unreadable: UnreadableDatabase[] = [];
    let failure: HostFailure | null = null;
    for (const { name, directory } of source.databases) {
      try {
        await this.#patiently(siblings, () => engine.attach(name, directory, siblings));
        databases.push(name);
      } catch (error) {
        if (!(error instanceof HostFailure)) throw error;
        failure ??= error;
        unreadable.push({ name, message: error.message });
      }
    }
    if (databases.length === 0 && failure !== null) throw failure;
    return { databases, unreadable };
  }

  #schedulerOf(engine: Engine, source: OpenedSource, siblings: Siblings, ended: () => void): Scheduler {
    const none = { requests: 0, bytes: 0 };
    const host: SchedulerHost = {
      engine,
      exclusive: this.#exclusive,
      reply: this.#platform.reply,
      interrupt: () => source.interrupt?.(),
      prepare: () => prepare(siblings),
      openLocal: this.#platform.openLocal,
      traffic: () => source.traffic ?? none,
      ended,
      died: error => this.#die(error),
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
      // What could not be committed or flushed is told to whoever commits next.
      if (!(error instanceof HostFailure)) this.#die(error);
    });
  }

  async #close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = null;
    clearTimeout(this.#flushTimer);
    if (opened === null) return;
    opened.scheduler.stop();
    opened.source.interrupt?.();
    try {
      await this.#patiently(opened.siblings, () => opened.engine.flush('all'));
    } finally {
      await this.#exclusive.run(() => opened.engine.close());
      await opened.source.close();
    }
  }

  #fail(id: number, failure: Failure): void {
    this.#platform.reply({ kind: 'failed', id, failure }, []);
  }

  /** The engine trapped, or the host has a bug: nothing of this connection can be trusted any more. */
  #die(error: unknown): void {
    if (this.#isDead) return;
    this.#isDead = true;
    this.#opened?.scheduler.stop();
    void this.#opened?.source.close();
    this.#opened = null;
    const reason =
      this.#platform.onTrap() ?? (error instanceof Error ? `${error.name}: ${error.message}` : String(error));
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
    throw hostFailure(kind === 'no_space' || kind === 'read_only' ? kind : 'unreadable', messageOf(error));
  }
}

function statsOf({ engine, source }: Opened): Stats {
  return {
    memoryBytes: engine.memoryBytes(),
    requests: source.traffic?.requests ?? 0,
    bytesFetched: source.traffic?.bytes ?? 0,
    counters: engine.counters(),
  };
}

function notOpen(): HostFailure {
  return hostFailure('usage', 'No database is open');
}

function asFailure(error: unknown): HostFailure {
  if (error instanceof HostFailure) return error;
  return hostFailure('unreadable', messageOf(error));
}
