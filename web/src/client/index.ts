/** The exports of the client, for the entries of the package and for `node`. */

export type {
  ColumnKind,
  Completion,
  Completions,
  Credentials,
  CredentialsRequest,
  Durability,
  FailureCode,
  OpenProgress,
  RegionMode,
  StatementSpan,
  StatementStats,
  Stats,
  Storage,
  StorageQuota,
  StorageWarning,
  UnreadableDatabase,
  Warning,
} from '../protocol/index.ts';
export { cloneThrough, type Environment, openThrough } from './database.ts';
export { SqlError, VarveError } from './errors.ts';
export type { Prefetched, PrefetchOptions, PrefetchProgress } from './prefetch.ts';
export type { CsvEscape } from './transfer/csv/csv_escapes.ts';
export {
  type CsvForm,
  findForm,
  findSeparator,
  firstCsvRows,
  type Separator,
  startsWithRowNames,
} from './transfer/csv/csv_separator.ts';
export { shortLinesOf } from './transfer/csv/short_lines.ts';
export type { FileSink } from './transfer/export/directory_sink.ts';
export { browserSink, planRows } from './transfer/on_demand.ts';
export { scriptEncodingOf } from './transfer/script/script_charset.ts';
export { type DateOrder, type DecimalMark, type FoundForms, findForms } from './transfer/table/written_forms.ts';
export type * from './transfer/transfer_types.ts';
export type * from './types.ts';
export type * from './versions/remote_types.ts';
export type { Flaw, Problem, Verification, VerifyOptions, VerifyProgress } from './versions/verify.ts';
export type * from './versions/version_types.ts';
export { differingTables, isOfOtherKey, keepConflicts } from './versions/versions.ts';
export type { AskCredentials } from './wire/connection.ts';
export { type Transport, workerTransport } from './wire/transport.ts';
