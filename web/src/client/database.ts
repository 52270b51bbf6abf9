import type {
  OpenedDatabase,
  StatementSpan,
  Stats,
  Storage,
  UnreadableDatabase,
  WireOpenOptions,
} from '../protocol/index.ts';
import { Connection } from './connection.ts';
import { EngineSession, SessionQueries } from './session.ts';
import { wireSource } from './source.ts';
import type { Transport } from './transport.ts';
import type { Database, OpenOptions, Session, Source } from './types.ts';

const BUDGET_BYTES = 128 * 1024 * 1024;

/** What differs between browsers and Node. */
export interface Environment {
  readonly acceptsPaths: boolean;
  readonly baseUrl: string | undefined;
}

/**
 * Opens a source behind a transport.
 *
 * @throws VarveError, SqlError, or the signal's reason; the transport is terminated then.
 */
export async function openThrough(
  connect: () => Transport,
  source: Source,
  options: OpenOptions,
  environment: Environment,
): Promise<Database> {
  const { signal, onProgress } = options;
  signal?.throwIfAborted();
  const wire = wireSource(source, environment.acceptsPaths, environment.baseUrl);
  const wireOptions: WireOpenOptions = {
    mode: options.mode ?? 'mmap',
    budgetBytes: options.budgetBytes ?? BUDGET_BYTES,
    readOnly: options.readOnly ?? false,
    blockingReads: options.blockingReads ?? false,
    durability: options.durability ?? 'full',
  };
  const connection = new Connection(connect());
  const onAbort = (): void => connection.end(null);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    const reply = await connection.ask({ kind: 'open', source: wire, options: wireOptions }, 'opened', other => {
      if (other.kind === 'opening') onProgress?.(other.progress);
      return false;
    });
    return new OpenDatabase(connection, reply.database);
  } catch (error) {
    connection.end(null);
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

class OpenDatabase extends SessionQueries implements Database {
  readonly name: string;
  readonly databases: readonly string[];
  readonly unreadable: readonly UnreadableDatabase[];
  readonly storage: Storage;
  #closing: Promise<void> | null = null;

  constructor(connection: Connection, opened: OpenedDatabase) {
    super(connection, opened.session);
    this.name = opened.name;
    this.databases = opened.databases;
    this.unreadable = opened.unreadable;
    this.storage = opened.storage;
  }

  get closed(): Promise<Error | null> {
    return this.connection.closed;
  }

  async session(): Promise<Session> {
    const { session } = await this.connection.ask({ kind: 'open_session' }, 'session');
    return new EngineSession(this.connection, session);
  }

  async split(script: string): Promise<readonly StatementSpan[]> {
    return (await this.connection.ask({ kind: 'split', sql: script }, 'statements')).statements;
  }

  async stats(): Promise<Stats> {
    return (await this.connection.ask({ kind: 'stats' }, 'stats')).stats;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** The host gives its files back before its thread ends: another open of the same files may follow at once. */
  async #close(): Promise<void> {
    if (!this.connection.isOpen) return;
    await this.connection.ask({ kind: 'close' }, 'closed').catch(() => {});
    this.connection.end(null);
  }
}
