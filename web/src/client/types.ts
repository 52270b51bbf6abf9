/// <reference lib="esnext.disposable" preserve="true" />
/** The public types of the package. */
import type {
  ColumnKind,
  Completions,
  Durability,
  OpenProgress,
  RegionMode,
  StatementSpan,
  Stats,
  Storage,
  Summary,
  UnreadableDatabase,
} from '../protocol/index.ts';
import type { Prefetched, PrefetchOptions } from './prefetch.ts';
import type { Transfers } from './transfer/transfer_types.ts';
import type { Remotes } from './versions/remote_types.ts';
import type { Verification, VerifyOptions } from './versions/verify.ts';
import type { Versions } from './versions/version_types.ts';
import type { AskCredentials } from './wire/connection.ts';

/**
 * Where a database is.
 *
 * A string or URL is an `http(s)` address of a database directory (the one that contains `.dolt`) or of a Dolt `file://`
 * remote on a static host; in Node it may also be a path. A directory may hold several databases, one per immediate
 * subdirectory; all are attached and the first is selected.
 */
export type Source =
  | string
  | URL
  | { readonly url: string | URL }
  /** Node only. */
  | { readonly path: string; readonly create?: boolean | undefined }
  /** Path in the origin-private file system. With `create` a database is made there when there is none. */
  | { readonly opfs: string; readonly create?: boolean | undefined }
  | { readonly directory: FileSystemDirectoryHandle }
  /** From `<input webkitdirectory>` (paths are `webkitRelativePath`) or from a drop, with the path given. */
  | { readonly files: Iterable<File | { readonly path: string; readonly file: File }> }
  /** zip or tar.gz, unpacked into memory. Changes stay there, and the given bytes as they are. */
  | { readonly archive: Blob | Uint8Array; readonly name?: string | undefined }
  /** Paths such as `mydb/.dolt/noms/manifest` to contents. Changes stay in memory, and the given bytes as they are. */
  | { readonly memory: Readonly<Record<string, Uint8Array>>; readonly create?: boolean | undefined }
  /** A fresh database in memory. */
  | { readonly empty: string };

export interface OpenOptions {
  /**
   * How files are read: `mmap` keeps pages in memory (default), `pread` reads at every access, `mmap-index` keeps only
   * index pages.
   */
  readonly mode?: RegionMode | undefined;
  /** Memory for pages of files. Default 128 MiB. Linear memory never shrinks, so it is never exceeded. */
  readonly budgetBytes?: number | undefined;
  /** Nothing is written, even where it could be. */
  readonly readOnly?: boolean | undefined;
  /**
   * `full` (default): a commit that was acknowledged survives a crash of browser and machine. `relaxed`: commits are
   * faster and the last ones may be lost by a crash, never a part of one: those of the last milliseconds when the page ends
   * without `close`, those of the last tenth of a second when the machine does.
   */
  readonly durability?: Durability | undefined;
  /**
   * Writes even where the newest commit is lost (`storage.warnings` has a `missing_root`): changes go on from the older state, and the bytes
   * that were dropped are copied beside the journal first. Without it such a database is read-only.
   */
  readonly acceptLoss?: boolean | undefined;
  /**
   * Reads remote files with requests that block the worker, even where the engine's stack could be suspended instead:
   * for comparison. Statements that wait for the network cannot be cancelled then.
   */
  readonly blockingReads?: boolean | undefined;
  /**
   * How long a statement, or `open`, waits for another tab or process that has the database, in milliseconds; then it fails with
   * `locked`, and nothing of the statement is done. Default 30,000 in browsers, where tabs take turns, and 10,000 in Node, where a server
   * may have it for good. `Infinity` waits for as long as it takes.
   */
  readonly lockTimeoutMs?: number | undefined;
  /**
   * How long a web server may take to answer, and from one piece of an answer to the next, in milliseconds; then the read fails with
   * `unreadable`. Default 30,000. Requests that block the worker have 60,000 in all.
   */
  readonly networkTimeoutMs?: number | undefined;
  /**
   * Whether bytes of a remote database stay on disk, for later visits and for work without a network: in the origin-private file system, in
   * Node in the user's cache folder (`XDG_CACHE_HOME`). Default true. `storage.cache` says why nothing is cached where that cannot be.
   */
  readonly cache?: boolean | undefined;
  /**
   * What that cache may grow to. All databases share it; what was not used for longest is replaced. Default the smaller of 1 GiB and a fifth
   * of the quota of the site, in Node of the free disk.
   */
  readonly cacheBytes?: number | undefined;
  /**
   * `error` refuses an address that redirects, before its target is requested. For addresses from an untrusted source.
   * Redirects within the page's own origin are followed.
   */
  readonly redirects?: 'follow' | 'error' | undefined;
  /**
   * Asked for when a remote wants to know who calls: `{ user, password }` of a Dolt service, `{ accessKeyId, secretAccessKey, sessionToken }`
   * of a bucket. Null, and a call that throws, goes on without. In Node the environment is asked where this answers null. Nothing is stored.
   */
  readonly credentials?: AskCredentials | undefined;
  /** Gives up opening. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: OpenProgress) => void) | undefined;
  /**
   * A worker that runs `varve/worker`, for pages whose bundler or policy needs it made by hand. It belongs to the
   * database and is terminated with it.
   */
  readonly worker?: Worker | undefined;
}

export interface StatementOptions {
  readonly signal?: AbortSignal | undefined;
  /** Cancels the statement with error 3024 after so many milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** Of a remote database: stops the statement with `max_bytes` before it fetches more than so many bytes from the network. */
  readonly maxBytes?: number | undefined;
  /**
   * Files that LOAD DATA LOCAL INFILE may name: `{ files: { 'seeds.csv': blob } }`. A statement reads no others. Paths are of
   * Node only.
   */
  readonly files?: Readonly<Record<string, Blob | Uint8Array | { readonly path: string }>> | undefined;
}

export interface StreamOptions extends StatementOptions {
  /** Pages (of about 1,024 rows) that may lie unread before the engine pauses. Default 4. */
  readonly bufferedPages?: number | undefined;
}

export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/**
 * A value of a result: INT and DOUBLE number, BIGINT bigint, DECIMAL, DATE, DATETIME, TIME and text string, JSON parsed,
 * BLOB, BIT and GEOMETRY Uint8Array. Every value that was read can be bound as a parameter.
 */
export type Value = null | number | bigint | string | Uint8Array | JsonValue;
/**
 * A document to bind: its Dates are texts as JSON has them, its bigints numbers, and members that are `undefined` are left out. An object whose
 * type is an `interface` is bound as `{ ...object }`: TypeScript does not take one for a record.
 */
export type JsonParam =
  | null
  | boolean
  | number
  | bigint
  | string
  | Date
  | undefined
  | readonly JsonParam[]
  | { readonly [key: string]: JsonParam };
/** A value to bind. A Date is bound as a UTC DATETIME, `undefined` as NULL, bytes as such, an array or object as JSON. */
export type Param = JsonParam | ArrayBuffer | ArrayBufferView;
export type Row = Record<string, Value>;

export interface Column {
  readonly name: string;
  /** SQL type as MySQL writes it, such as `varchar(20)`. */
  readonly type: string;
  readonly kind: ColumnKind;
  readonly nullable: boolean;
  readonly unsigned: boolean;
  readonly primaryKey: boolean;
  /** Digits after the point. */
  readonly decimals: number;
  /** Where the column comes from; empty for expressions. */
  readonly database: string;
  readonly table: string;
  readonly originalName: string;
}

/** The values of one column in one batch, decoded on demand. */
export interface BatchColumn {
  readonly column: Column;
  readonly length: number;
  isNull(row: number): boolean;
  value(row: number): Value;
  /** The value as MySQL's text protocol would send it, binary as `0x…`; null for NULL. Cheap for text columns. */
  text(row: number): string | null;
  values(): readonly Value[];
}

export interface Batch {
  /** Of which result of a procedure, from 0. */
  readonly resultIndex: number;
  readonly rowCount: number;
  readonly columns: readonly Column[];
  /** Size of the page that carries the batch. */
  readonly byteLength: number;
  column(index: number): BatchColumn;
  rows(): IterableIterator<Row>;
  rowArrays(): IterableIterator<Value[]>;
  /** Views of the page's buffers in Arrow's physical layout; nothing is copied. */
  toArrow(): ArrowBatch;
  /**
   * Gives the batch's memory to one that is still to come, which makes long results faster. Afterwards the batch cannot be read;
   * text and numbers that were read from it stay, columns, bytes and Arrow buffers do not. Never needed.
   */
  release(): void;
}

export interface ArrowBatch {
  readonly length: number;
  readonly columns: readonly ArrowColumn[];
}

/** One column as Apache Arrow lays it out: hand the parts to `makeData` of `apache-arrow`. */
export interface ArrowColumn {
  readonly name: string;
  readonly type: 'Null' | 'Int32' | 'Uint32' | 'Int64' | 'Uint64' | 'Float32' | 'Float64' | 'Utf8' | 'Binary';
  readonly nullCount: number;
  /** Bit set = valid, lowest bit first; null when no value is NULL. */
  readonly nullBitmap: Uint8Array | null;
  /** `length + 1` byte offsets for Utf8 and Binary. */
  readonly valueOffsets: Int32Array | null;
  readonly data: ArrayBufferView | null;
}

/** What a statement did and cost. */
export type ResultSummary = Summary;

/** Columns and rows of one of the results of a procedure. */
export interface ResultSet {
  readonly columns: readonly Column[];
  readonly batches: readonly Batch[];
  readonly rows: readonly Row[];
  rowArrays(): Value[][];
}

/** A whole result. */
export interface Result<R extends object = Row> extends ResultSummary {
  /** Of a procedure all of its results, of other statements that one: `columns` and `rows` are those of the first. */
  readonly results: readonly ResultSet[];
  readonly columns: readonly Column[];
  readonly batches: readonly Batch[];
  /** One object per row, made at the first look. Of columns with the same name the last wins. */
  readonly rows: readonly R[];
  rowArrays(): Value[][];
}

/**
 * A result as it comes. Batches that are not read hold the engine back. Leaving a `for await` early, `cancel()` and the
 * signal end the statement. One reader at a time.
 */
export interface ResultStream<R extends object = Row> extends AsyncIterable<Batch>, AsyncDisposable {
  readonly columns: Promise<readonly Column[]>;
  readonly summary: Promise<ResultSummary>;
  rows(): AsyncIterableIterator<R>;
  cancel(): Promise<void>;
}

export interface ScriptResult extends Result {
  /** The statement, and where it is in the script (UTF-16 offsets). */
  readonly sql: string;
  readonly start: number;
  readonly end: number;
}

/** `R` is the rows' type, for those who know it: `query<{ id: number }>('SELECT id …')`. Nothing checks it. */
export interface Queries {
  query<R extends object = Row>(sql: string, params?: readonly Param[], options?: StatementOptions): Promise<Result<R>>;
  /**
   * `query` with its values where they belong, as a tag: sql`SELECT * FROM beds WHERE id = ${id}`. They are bound, and never part of
   * the text, so that names cannot be given like this.
   */
  sql<R extends object = Row>(text: TemplateStringsArray, ...params: readonly Param[]): Promise<Result<R>>;
  stream<R extends object = Row>(sql: string, params?: readonly Param[], options?: StreamOptions): ResultStream<R>;
  prepare<R extends object = Row>(sql: string): Promise<Statement<R>>;
  /** Runs the statements of a script one after the other; the first error ends it. */
  run(script: string, options?: StatementOptions): AsyncIterableIterator<ScriptResult>;
  /** What may stand at a UTF-16 offset of `sql`. */
  complete(sql: string, at: number): Promise<Completions>;
}

/** A connection of its own: current database and branch, variables, transaction. */
export interface Session extends Queries, AsyncDisposable {
  close(): Promise<void>;
}

export interface Statement<R extends object = Row> extends AsyncDisposable {
  readonly sql: string;
  /** Number of `?` in it. */
  readonly parameterCount: number;
  query(params?: readonly Param[], options?: StatementOptions): Promise<Result<R>>;
  stream(params?: readonly Param[], options?: StreamOptions): ResultStream<R>;
  close(): Promise<void>;
}

export interface Database extends Queries, Versions, Remotes, Transfers, AsyncDisposable {
  /** The selected database. */
  readonly name: string;
  /** All that the source held. */
  readonly databases: readonly string[];
  /** Databases of the source that could not be read, when there were others. */
  readonly unreadable: readonly UnreadableDatabase[];
  readonly storage: Storage;
  /** Resolves when the database is closed, with the error when its engine died. */
  readonly closed: Promise<Error | null>;
  session(): Promise<Session>;
  /** Splits a script at its semicolons as the engine would, DELIMITER included. */
  split(script: string): Promise<readonly StatementSpan[]>;
  stats(): Promise<Stats>;
  /**
   * Gives memory of the engine back that it does not need any more, and says how many bytes. It happens by itself when there is much of
   * it and nothing was asked for some seconds. 0 while a statement runs, a transaction is open or a session has temporary tables.
   */
  releaseMemory(): Promise<number>;
  /**
   * Looks whether the files are whole: every chunk is read and compared with its address, and all that branches, tags, stashes and working
   * sets lead to has to be there. Damage is reported in the result, not as an error; nothing is repaired. It reads everything once, and other statements
   * go on meanwhile. A database whose names cannot be read is refused by `open`.
   */
  verify(options?: VerifyOptions): Promise<Verification>;
  /**
   * Fetches what statements will need of a database on a network into its cache on disk, so that it opens and answers without a network
   * until the cache needs the space for other databases. Cancelled, it keeps what it has, and goes on from there when it is called again.
   */
  prefetch(options?: PrefetchOptions): Promise<Prefetched>;
  /**
   * Gives the files back. It fails, and closes all the same, when commits of relaxed durability were acknowledged and cannot be written: the
   * disk is full, say.
   */
  close(): Promise<void>;
}
