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
export type { AskCredentials } from './connection.ts';
export { cloneThrough, type Environment, openThrough } from './database.ts';
export { SqlError, VarveError } from './errors.ts';
export type { Prefetched, PrefetchOptions, PrefetchProgress } from './prefetch.ts';
export type * from './remote_types.ts';
export type { CsvEscape } from './transfer/csv_escapes.ts';
export { type CsvForm, findForm, findSeparator, type Separator } from './transfer/csv_separator.ts';
export { startsWithRowNames } from './transfer/csv_titles.ts';
export type { FileSink } from './transfer/directory_sink.ts';
export { browserSink, planRows } from './transfer/on_demand.ts';
export { scriptEncodingOf } from './transfer/script_charset.ts';
export { shortLinesOf } from './transfer/short_lines.ts';
export type * from './transfer/transfer_types.ts';
export { type DateOrder, type DecimalMark, type FoundForms, findForms } from './transfer/written_forms.ts';
export { type Transport, workerTransport } from './transport.ts';
export type * from './types.ts';
export type { Flaw, Problem, Verification, VerifyOptions, VerifyProgress } from './verify.ts';
export type * from './version_types.ts';
export { differingTables, isOfOtherKey, keepConflicts } from './versions.ts';
