/** The engine as the host sees it: sessions, cursors, and what a call may wait for. */
import type {
  Analysis,
  Completions,
  Durability,
  Failure,
  OddParam,
  PieceProgress,
  RegionMode,
  SessionImage,
  SessionState,
  StatementSpan,
  StorageWarning,
  Summary,
  WireParam,
  WireRows,
  WireScript,
} from '../protocol/index.ts';
import type { HostDirectory } from './files/file.ts';
import type { Later } from './later.ts';
import type { LocalFiles } from './local_files.ts';
import type { Loss } from './loss.ts';
import type { Siblings } from './siblings.ts';
import type { RemoteFigure, Wish } from './wasm/wasm_exports.ts';

/**
 * The engine as the host uses it: one per opened source. Calls that may read files answer later when the source's
 * directories suspend. Failures are thrown as HostFailure; EngineWait is thrown when nothing was done and the call has to
 * be made again, once the source is prepared; any other exception means that the engine trapped: then `lose` and `restart`.
 */
export interface Engine {
  /**
   * Says who is asked, within calls, what the statement is to do.
   *
   * @param figure what its session has cost of the network
   */
  watch(wish: () => Wish, figure?: RemoteFigure): void;
  /**
   * Opens a database. Answers why its state may not be the newest one, or null.
   *
   * @param siblings makes and removes databases beside it.
   */
  attach(name: string, directory: HostDirectory, siblings: Siblings): Later<AttachWarning | null>;
  /** @param image of a session of another engine, which goes on in this one. */
  openSession(image?: SessionImage): Later<number>;
  /** The state of a session behind its last statement, with its image where that was not told yet. Undefined for one that is closed. */
  stateOf(session: number): SessionState | undefined;
  closeSession(session: number): void;
  /** Makes a session what a new one is, where another one is. */
  resetSession(session: number, beside: number): Later<void>;
  prepare(session: number, sql: string): Later<Prepared>;
  closeStatement(statement: number): void;
  /** Starts a statement and gives its cursor. @param files what LOAD DATA LOCAL may name. */
  execute(statement: number, params: readonly WireParam[], files?: LocalFiles): Later<number>;
  /** Starts an INSERT of the rows of a piece and gives its cursor. */
  insertRows(statement: number, rows: WireRows): Later<number>;
  /** Starts a piece of a script and gives its cursor. */
  script(session: number, piece: WireScript): number;
  /** Of a script, or of rows. */
  pieceProgress(cursor: number): PieceProgress;
  /** Null for a statement without a result, and for a CALL before its first page: then it knows its columns. */
  header(cursor: number): ArrayBuffer | null;
  /** Works on for about `fuel` units; a page, a pause or the end. */
  next(cursor: number, fuel: number): Later<Step>;
  /** Buffers of pages that were given out and are not read any more. */
  takeBack(buffers: readonly ArrayBuffer[]): void;
  closeCursor(cursor: number): void;
  split(script: string): StatementSpan[];
  complete(session: number, sql: string, at: number): Later<Completions>;
  analyze(session: number, sql: string): Analysis;
  /** Refuses parameters that their places in a prepared statement do not take, see `refuseOdd`. */
  checkPlaces(statement: number, params: readonly OddParam[]): void;
  /**
   * Commits what statements have left to be committed later, and flushes commits; gives in how many milliseconds there is more to
   * do, or null.
   */
  flush(what: Flush): Later<number | null>;
  /** By name, such as `region_faults`. */
  counters(): Record<string, number>;
  readCounters(): ReadCounters;
  memoryBytes(): number;
  /** Whether the memory is far above what the engine may keep: most of it is free, and only a fresh instance gives it back. */
  readonly isTooLarge: boolean;
  /** Whether nothing is open that another instance could not have: a cursor, a transaction, a temporary table. */
  readonly canMove: boolean;
  /**
   * Moves to a fresh instance with all that its sessions have, so that the memory of this one is free. False where it cannot; EngineWait
   * where something has to be prepared first.
   *
   * @param prepare does what opening the databases waits for.
   */
  move(prepare: () => Promise<void>): Promise<boolean>;
  /** A call has thrown what is no failure: this instance is not entered again. Returns the error of its statement. */
  lose(error: unknown): Loss;
  /** Errors of the next statements of sessions after a loss. */
  lostTransactions(): Iterable<[session: number, failure: Failure]>;
  /** After `lose`: goes on in a fresh instance. */
  restart(prepare: () => Promise<void>): Promise<void>;
  close(): void;
}

/** What a statement does to the transaction in which it runs: it leaves it open, rolls it back, or may end it otherwise. */
export type TransactionEffect = 'stays' | 'rolls_back' | 'other';

/** What is due, what another tab waits for as well, or all. */
export type Flush = 'due' | 'wanted' | 'all';

export interface EngineOptions {
  readonly mode: RegionMode;
  readonly budgetBytes: number;
  readonly durability: Durability;
  readonly acceptLoss: boolean;
}

export interface AttachWarning {
  readonly warning: StorageWarning;
  /** Nothing is written because of it. */
  readonly isHeldBack: boolean;
}

/** Nothing was done: a file has to be prepared, the lease waited for, or something loaded. */
export class EngineWait extends Error {
  override readonly name = 'EngineWait';

  readonly until: Promise<void> | null;

  /** @param until what is waited for, where that is not the source. */
  constructor(until: Promise<void> | null = null) {
    super();
    this.until = until;
  }
}

export interface Prepared {
  readonly statement: number;
  readonly parameters: number;
}

export type Step =
  | { readonly kind: 'batch'; readonly page: ArrayBuffer; readonly rowCount: number }
  /** A procedure begins another result. */
  | { readonly kind: 'result'; readonly header: ArrayBuffer }
  | { readonly kind: 'yield' }
  /** SLEEP: the call is made again when so much time has passed. */
  | { readonly kind: 'sleep'; readonly milliseconds: number }
  | { readonly kind: 'done'; readonly summary: EngineSummary };

/** What the engine knows of a statement at its end. */
export type EngineSummary = Pick<Summary, 'affectedRows' | 'lastInsertId' | 'warnings' | 'info'>;

export interface ReadCounters {
  readonly pagesFaulted: number;
  readonly bytesRead: number;
}

/** Loads the engine into this thread and makes one for a source. */
export type StartEngine = (options: EngineOptions) => Promise<Engine>;
