export type {
  ColumnKind,
  Completion,
  Completions,
  Durability,
  FailureCode,
  OpenProgress,
  RegionMode,
  StatementSpan,
  StatementStats,
  Stats,
  Storage,
  StorageQuota,
  UnreadableDatabase,
  Warning,
} from '../protocol/index.ts';
export { type Environment, openThrough } from './database.ts';
export { SqlError, VarveError } from './errors.ts';
export { browserSink, type FileSink } from './transfer/database_files.ts';
export type * from './transfer/transfer_types.ts';
export { type DateOrder, type DecimalMark, type FoundForms, findForms } from './transfer/written_forms.ts';
export { type Transport, workerTransport } from './transport.ts';
export type * from './types.ts';
export type * from './version_types.ts';
