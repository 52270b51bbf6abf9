/** The npm package's entry in browsers. Importing it touches nothing: no worker, no global, no network. */
import {
  browserSink,
  type Database,
  type OpenOptions,
  openThrough,
  type Source,
  workerTransport,
} from '../client/index.ts';

export type {
  ArrowBatch,
  ArrowColumn,
  Batch,
  BatchColumn,
  Branch,
  Change,
  Column,
  ColumnKind,
  Commit,
  CommitOptions,
  Completion,
  Completions,
  Conflict,
  CopyOptions,
  CopyTarget,
  Database,
  DiffOptions,
  DumpOptions,
  Durability,
  ExportRowsOptions,
  FailureCode,
  ImportResult,
  ImportRowsOptions,
  ImportSqlOptions,
  JsonValue,
  LiveCallback,
  LiveChangesCallback,
  LiveOptions,
  LiveQuery,
  LogOptions,
  MergeOptions,
  MergeResult,
  OpenOptions,
  OpenProgress,
  Param,
  Queries,
  RegionMode,
  Resolution,
  Result,
  ResultSet,
  ResultStream,
  ResultSummary,
  Row,
  RowFormat,
  ScriptResult,
  Session,
  Source,
  Statement,
  StatementOptions,
  StatementSpan,
  StatementStats,
  Stats,
  Storage,
  StorageQuota,
  StreamOptions,
  TableConflicts,
  TextInput,
  Transaction,
  TransactionOptions,
  TransferProgress,
  Transfers,
  UnreadableDatabase,
  Value,
  Versions,
  View,
  Warning,
} from '../client/index.ts';
export { SqlError, VarveError } from '../client/index.ts';

/**
 * Opens a database in a worker of its own.
 *
 * @throws VarveError when the source cannot be read or holds no database; the signal's reason when it is aborted.
 */
export function open(source: Source, options: OpenOptions = {}): Promise<Database> {
  const connect = () => workerTransport(options.worker ?? startWorker());
  return openThrough(connect, source, options, {
    acceptsPaths: false,
    baseUrl: globalThis.location?.href,
    sink: browserSink,
  });
}

function startWorker(): Worker {
  return new Worker(new URL('../host/worker.ts', import.meta.url), { type: 'module', name: 'varve' });
}
