/**
 * Messages between the client (page) and the host (worker). One connection serves one opened source. Requests that
 * have an answer carry an `id` chosen by the client; every answer repeats it.
 */

/** A source in a form that survives structured cloning. */
export type WireSource =
  | { readonly kind: 'url'; readonly url: string }
  /** `cloning`: nothing is there yet, and is made by a clone. */
  | { readonly kind: 'path'; readonly path: string; readonly create: boolean; readonly cloning?: true }
  | { readonly kind: 'opfs'; readonly path: string; readonly create: boolean; readonly cloning?: true }
  | { readonly kind: 'directory'; readonly handle: FileSystemDirectoryHandle }
  | { readonly kind: 'files'; readonly files: readonly WireFile[] }
  | { readonly kind: 'archive'; readonly name: string; readonly content: Blob | Uint8Array }
  | { readonly kind: 'memory'; readonly files: Readonly<Record<string, Uint8Array>>; readonly create: boolean }
  | { readonly kind: 'empty'; readonly name: string };

export interface WireFile {
  /** Path below the picked directory's parent, with `/`. */
  readonly path: string;
  readonly file: File;
}

export type RegionMode = 'mmap' | 'pread' | 'mmap-index';

/** When a commit is safe from a crash: when it is acknowledged, or a moment later. */
export type Durability = 'full' | 'relaxed';

export interface WireOpenOptions {
  readonly mode: RegionMode;
  readonly budgetBytes: number;
  readonly readOnly: boolean;
  readonly blockingReads: boolean;
  readonly durability: Durability;
  readonly acceptLoss: boolean;
  /** How long another tab or process is waited for; may be Infinity. */
  readonly lockTimeoutMs: number;
  /** How long a web server may be silent; 30 s by default. */
  readonly networkTimeoutMs?: number;
  /** Whether an address that redirects is refused. */
  readonly refusesRedirects?: boolean;
  /** What the cache of remote bytes may grow to; 0 for none. */
  readonly cacheBytes?: number;
  /** Whether the client answers `credentials_wanted`. */
  readonly asksCredentials?: boolean;
}

/** What a remote asks for. */
export interface CredentialsRequest {
  readonly url: string;
  /** `s3`, `http`, `https` … */
  readonly scheme: string;
  /** The user that the statement names. */
  readonly user: string | null;
}

/** Credentials for a remote. Never part of a URL, never stored. */
export type Credentials =
  | { readonly user: string; readonly password: string }
  | { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken?: string };

/** The engine that a page has compiled; null when it could not. Workers whose name says so wait for it. */
export interface CoreMessage {
  readonly kind: 'core';
  readonly module: WebAssembly.Module | null;
}

/**
 * Tells a worker the name of a Web Lock, which it holds as long as it lives and answers with the same message when it does: a request for
 * the lock is then granted when the worker is gone. Nothing else tells a page that a worker was terminated.
 */
export interface LifeMessage {
  readonly kind: 'life';
  readonly lock: string;
}

export type Request =
  | { readonly kind: 'open'; readonly id: number; readonly source: WireSource; readonly options: WireOpenOptions }
  /** `image`: of a session of another engine that goes on in the new one. */
  | { readonly kind: 'open_session'; readonly id: number; readonly image?: SessionImage }
  | { readonly kind: 'close_session'; readonly session: number }
  | { readonly kind: 'prepare'; readonly id: number; readonly session: number; readonly sql: string }
  | { readonly kind: 'close_statement'; readonly statement: number }
  | ExecuteRequest
  | { readonly kind: 'credit'; readonly id: number; readonly pages: number; readonly buffers?: readonly ArrayBuffer[] }
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'split'; readonly id: number; readonly sql: string }
  | {
      readonly kind: 'complete';
      readonly id: number;
      readonly session: number;
      readonly sql: string;
      readonly at: number;
    }
  | { readonly kind: 'analyze'; readonly id: number; readonly session: number; readonly sql: string }
  | { readonly kind: 'stats'; readonly id: number }
  /** Asks to give memory back, where nothing is open that keeps it. */
  | { readonly kind: 'release_memory'; readonly id: number }
  /** The files of all databases, as they are now. */
  | { readonly kind: 'list_files'; readonly id: number }
  | {
      readonly kind: 'read_file';
      readonly id: number;
      readonly path: string;
      readonly offset: number;
      readonly length: number;
    }
  /** The answer to `credentials_wanted`; null: go on without. */
  | { readonly kind: 'credentials'; readonly id: number; readonly credentials: Credentials | null }
  | { readonly kind: 'close'; readonly id: number };

export interface ExecuteRequest {
  readonly kind: 'execute';
  readonly id: number;
  readonly session: number;
  /**
   * The session begins anew with this statement, where this other one is behind the statements that it was asked for before: as after
   * MySQL's COM_RESET_CONNECTION.
   */
  readonly beside?: number;
  /** SQL text, the number of a prepared statement, or a piece of a script. */
  readonly statement: string | number | WireScript;
  readonly params: readonly WireParam[];
  /** Those of them that not every place takes; without the field there are none. */
  readonly oddParams?: readonly OddParam[];
  /** Pages that may be sent before the client asks for more. */
  readonly credits: number;
  readonly timeoutMs: number | null;
  /** Bytes that it may fetch from the network. */
  readonly maxBytes?: number;
  /** With its end comes the state of the session. */
  readonly wantsState?: boolean;
  /** Rows that an INSERT of one row of parameters adds, in place of values for these. */
  readonly rows?: WireRows;
  /** What LOAD DATA LOCAL may name. */
  readonly files?: Readonly<Record<string, WireLocalFile>>;
}

/** An array, which is bound as a document, or a number with a fraction. */
export interface OddParam {
  readonly index: number;
  /** As an error shows it. */
  readonly shown: string;
  /** Of an array; null for a number. */
  readonly length: number | null;
}

/**
 * A piece of a script, as UTF-8 but for literals with other bytes. Its statements run one after the other and their rows are
 * dropped; a statement that is not whole comes again at the beginning of the next piece. With autocommit, INSERTs that follow each
 * other are committed together, at the latest before an error is reported and at the end of the last piece.
 */
export interface WireScript {
  readonly bytes: Uint8Array;
  readonly isLast: boolean;
}

/**
 * A piece of comma-separated values, as UTF-8, that begins where a line begins. A line that is not whole comes again at the beginning of
 * the next piece.
 */
export interface WireRows {
  readonly bytes: Uint8Array;
  readonly isLast: boolean;
  /** The first line has the titles of the columns. */
  readonly hasTitles: boolean;
  /** One character. */
  readonly separator: string;
  /** A backslash makes data of a quote, of itself, and of what ends a field; `\N` is NULL. */
  readonly hasEscapes?: boolean | undefined;
  /** The order of day and month in dates that do not begin with their year. */
  readonly dates?: 'dmy' | 'mdy' | undefined;
  /** The decimal separator. */
  readonly decimal?: ',' | '.' | undefined;
  /** Texts that are NULL in columns of numbers, dates and times. */
  readonly nulls?: readonly string[] | undefined;
  /** For each field of a line whether the INSERT has no parameter for it; without it there is one for each. */
  readonly leftOut?: readonly boolean[] | undefined;
  /** A line with fewer fields has NULL in those that it lacks; by default it is an error. */
  readonly fillsShortLines?: boolean | undefined;
  /** Of the text, titles and all: errors tell which row they are about. */
  readonly rowsBefore: number;
}

/** How far a piece of a script, or of rows, came; offsets are bytes of the piece. */
export interface PieceProgress {
  /** The statement of a script that ran last, or failed; the row that was refused, its end of line included, and nothing where none was. */
  readonly start: number;
  readonly end: number;
  /** What is done with, behind a statement that failed as well. */
  readonly doneBytes: number;
  /** Those that a script has changed, or that were read, titles among them. */
  readonly rows: number;
  /** Of a script's statements, where they had some. */
  readonly warnings?: PieceWarnings;
}

/** Warnings of the statements of a piece: how many, and the first ones. */
export interface PieceWarnings {
  readonly count: number;
  /** Each with the byte of the piece where its statement begins. */
  readonly first: readonly (Warning & { readonly at: number })[];
}

/** Shared memory whose first number is set to cancel, or the address of a blob that is revoked. */
export type CancelReach = SharedArrayBuffer | string;

/** A file that comes along with a statement. Paths are of Node only. */
export type WireLocalFile = Blob | Uint8Array | { readonly path: string };

/** Bound values; dates are already text, JSON is already text. */
export type WireParam = null | boolean | number | bigint | string | Uint8Array;

export type Reply =
  | { readonly kind: 'opened'; readonly id: number; readonly database: OpenedDatabase }
  | { readonly kind: 'opening'; readonly id: number; readonly progress: OpenProgress }
  /** A question of the host, with a number of its own. */
  | { readonly kind: 'credentials_wanted'; readonly id: number; readonly asked: CredentialsRequest }
  | { readonly kind: 'session'; readonly id: number; readonly session: number }
  | { readonly kind: 'prepared'; readonly id: number; readonly statement: number; readonly parameters: number }
  | RowsReply
  | { readonly kind: 'statements'; readonly id: number; readonly statements: readonly StatementSpan[] }
  | { readonly kind: 'completions'; readonly id: number; readonly completions: Completions }
  | { readonly kind: 'analysis'; readonly id: number; readonly analysis: Analysis }
  | { readonly kind: 'stats'; readonly id: number; readonly stats: Stats }
  | { readonly kind: 'released'; readonly id: number; readonly bytes: number }
  | { readonly kind: 'files'; readonly id: number; readonly files: readonly ListedFile[] }
  | { readonly kind: 'bytes'; readonly id: number; readonly bytes: ArrayBuffer }
  | { readonly kind: 'closed'; readonly id: number }
  /** A statement has been in the engine for long: the host reads no messages, and a cancel has to reach it this way. */
  | { readonly kind: 'busy'; readonly id: number; readonly reach: CancelReach }
  /** Something was committed, by this tab or another. */
  | { readonly kind: 'moved' }
  | {
      readonly kind: 'failed';
      readonly id: number;
      readonly failure: Failure;
      readonly piece?: PieceProgress;
      /** Of the session, if that was wanted. */
      readonly state?: SessionState;
    }
  /** The engine is gone (a trap, no memory): nothing else will be answered. */
  | { readonly kind: 'died'; readonly failure: Failure };

export interface ListedFile {
  /** Begins with the name of the database. */
  readonly path: string;
  readonly length: number;
}

/** Part of a result. The first one of a statement has the header, the last one the summary; short results are one message. */
export interface RowsReply {
  readonly kind: 'rows';
  readonly id: number;
  readonly header?: ArrayBuffer;
  readonly page?: ArrayBuffer;
  readonly summary?: Summary;
  /** Of a piece of a script, or of rows, with the summary. */
  readonly piece?: PieceProgress;
  /** Of the session behind the statement, if that was wanted. */
  readonly state?: SessionState;
}

/**
 * What of a session goes on in another engine (rust/engine/src/session/image.rs): branch, variables, prepared statements, locks and the names
 * of temporary tables; and what the sessions of its engine share, such as global variables.
 */
export interface SessionImage {
  readonly session: Uint8Array;
  readonly engine: Uint8Array;
}

export interface SessionState {
  /** Absent where it is as it was told before, null where it has more bytes than are kept. */
  readonly image?: SessionImage | null;
  readonly isInTransaction: boolean;
}

export interface OpenedDatabase {
  readonly name: string;
  /** Every database that was attached: a directory may hold several. */
  readonly databases: readonly string[];
  /** Those that could not be, when there were others. */
  readonly unreadable: readonly UnreadableDatabase[];
  readonly storage: Storage;
  /** The session that `Database.query` and the like use. */
  readonly session: number;
}

export interface UnreadableDatabase {
  readonly name: string;
  /** Names the file and the place. */
  readonly message: string;
}

export interface Storage {
  readonly kind: 'opfs' | 'directory' | 'files' | 'archive' | 'memory' | 'url' | 'path';
  readonly readOnly: boolean;
  /** Why nothing can be written, and what to do about it; null when it can. */
  readonly readOnlyReason: string | null;
  readonly remote: boolean;
  /** Whether the bytes outlive this page: false for memory and unpacked archives. */
  readonly persistent: boolean;
  /** What the browser allows this site, when the database was opened; null outside its storage. */
  readonly quota: StorageQuota | null;
  /** Where the opened state is not the newest one, or may not be: at most one for each database. */
  readonly warnings: readonly StorageWarning[];
  /** The cache on disk of a remote database, as it was when the database was opened; null for local ones. */
  readonly cache: CacheState | null;
  /** Why the server could not be asked whether a remote database has moved: it was opened as the cache has it. */
  readonly notRevalidated: string | null;
}

/** The cache on disk for bytes of remote databases, which all of them share. */
export interface CacheState {
  /** Why nothing is cached, as in some private windows, on a full disk, or with `cache: false`; null while the cache works. */
  readonly reason: string | null;
  /** What it may grow to. Beyond, what was not used for longest is replaced. */
  readonly limitBytes: number;
  readonly usedBytes: number;
}

/**
 * Bytes at the end of a journal that do not count.
 *
 * - `torn_tail`: a crash interrupted a write that was not acknowledged. Nothing is lost.
 * - `damaged_record`: a record is damaged and no later commit follows it. Either a crash wrote the last commit in part, or an acknowledged
 *   commit was damaged on the disk. The bytes are copied to `FILE_tail_OFFSET` before the first change.
 * - `missing_root`: the manifest names a commit that the journal does not have, so an acknowledged commit is lost. The database is
 *   read-only, unless it is opened with `acceptLoss`.
 */
export interface StorageWarning {
  readonly kind: 'torn_tail' | 'damaged_record' | 'missing_root';
  readonly database: string;
  /** Within the directory of the database. */
  readonly file: string;
  /** The first byte of `file` that was dropped. */
  readonly offset: number;
  readonly droppedBytes: number;
  /** Valid records among the dropped bytes. */
  readonly validRecords: number;
  /** Hash of the newest root that the manifest or a dropped record names; null where none does. */
  readonly expectedRoot: string | null;
  /** Hash of the root that was opened. */
  readonly openedRoot: string;
  /** All of this in words. */
  readonly message: string;
}

export interface StorageQuota {
  readonly usageBytes: number;
  readonly quotaBytes: number;
  /** Whether the browser promised not to evict the site's storage; `navigator.storage.persist()` asks it to. */
  readonly isPersisted: boolean;
}

export interface OpenProgress {
  readonly what: 'listing' | 'opening' | 'unpacking';
  readonly filesDone: number;
  readonly bytesDone: number;
}

export interface Warning {
  readonly level: 'Note' | 'Warning' | 'Error';
  readonly errno: number;
  readonly message: string;
}

/** What a statement did and cost. */
export interface Summary {
  /** False for statements that answer with "OK" and no columns. */
  readonly hasRows: boolean;
  readonly rowCount: number;
  readonly affectedRows: number;
  readonly lastInsertId: number | bigint;
  readonly warnings: readonly Warning[];
  /** Such as `Rows matched: 1  Changed: 1  Warnings: 0`, or nothing. */
  readonly info: string;
  readonly stats: StatementStats;
}

export interface StatementStats {
  /** From the message's arrival in the worker to the first page, milliseconds. */
  readonly firstRowMs: number;
  /** From the message's arrival in the worker to the end. */
  readonly totalMs: number;
  /** Of that, spent working (the rest waited for credits, other statements or the network). */
  readonly busyMs: number;
  readonly pagesFaulted: number;
  readonly bytesRead: number;
  /** HTTP requests and the bytes that they brought, for remote sources. */
  readonly requests: number;
  readonly bytesFetched: number;
  /** Bytes of remote sources that were read from the cache on disk. */
  readonly bytesFromCache: number;
  /** How often it waited for the network. */
  readonly rounds: number;
}

/** Counters of the whole connection since it was opened. */
export interface Stats {
  readonly memoryBytes: number;
  readonly requests: number;
  readonly bytesFetched: number;
  readonly bytesFromCache: number;
  readonly rounds: number;
  /** The cache on disk of a remote database; null for local ones. */
  readonly cache: CacheState | null;
  /** Counters of region, store and tree by name, such as `region_faults`. */
  readonly counters: Readonly<Record<string, number>>;
}

export interface StatementSpan {
  readonly sql: string;
  /** UTF-16 offsets in the script. */
  readonly start: number;
  readonly end: number;
}

export interface Completion {
  readonly label: string;
  readonly kind:
    | 'keyword'
    | 'database'
    | 'table'
    | 'column'
    | 'function'
    | 'procedure'
    | 'variable'
    | 'branch'
    | 'type';
  /** Such as a column's type. */
  readonly detail: string;
}

/** What the engine reads in the text of a statement. */
export interface Analysis {
  /** What each `?` is the value of: the first member of a list (`IN (?`), the count of LIMIT or OFFSET, or something else. */
  readonly placeholders: readonly ('member' | 'count' | 'other')[];
  /** Null for what is no query over rows of one table alone, without groups, joins, LIMIT, subqueries and functions of the moment. */
  readonly rowQuery: RowQuery | null;
  /** Words and quoted names, those in strings as well, in lower case: tables that are named are among them. */
  readonly names: readonly string[];
}

/** The parts of a query over rows of one table: with the key of a row that changed, the row of the result can be asked for by itself. */
export interface RowQuery {
  /** What is selected, as it was written. */
  readonly selected: string;
  readonly table: string;
  /** What the query calls the table. */
  readonly alias: string;
  /** The condition, as it was written; empty for none. */
  readonly condition: string;
}

export interface Completions {
  /** UTF-16 offset where the word to replace starts. */
  readonly from: number;
  readonly items: readonly Completion[];
}

export type Failure =
  | {
      readonly kind: 'sql';
      readonly errno: number;
      readonly sqlstate: string;
      readonly message: string;
      /** UTF-16 offset in the statement's text. */
      readonly position: number | null;
      /** What to do about it, where the message does not say it. */
      readonly hint?: string | null;
    }
  | { readonly kind: 'varve'; readonly code: FailureCode; readonly message: string };

/**
 * `not_a_database`: no `.dolt` there. `unreadable`: the files could not be read or are damaged. `unsupported`: this
 * environment or version lacks something. `locked`: another tab or process holds the files. `read_only`: the source cannot
 * be written. `no_space`: the disk or the site's quota is full. `gone`: the files were removed while the database was open (SQL's error 1017). `aborted`, `closed`: as they say. `died`: the engine
 * trapped; open the source again. `max_bytes`: the statement would have fetched more than it may. `incomplete`: it needs all of a database of
 * which a lazy clone has a part. `usage`: a wrong call.
 */
export type FailureCode =
  | 'not_a_database'
  | 'unreadable'
  | 'unsupported'
  | 'locked'
  | 'read_only'
  | 'no_space'
  | 'gone'
  | 'aborted'
  | 'closed'
  | 'died'
  | 'max_bytes'
  | 'incomplete'
  | 'usage';
