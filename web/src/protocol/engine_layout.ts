/**
 * The layout of what crosses the boundary between the engine and JavaScript: numbers, flags, and the offsets of fields, all little endian.
 * Written by `cargo xtask lists` from rust/wasm/src/layout.rs and rust/engine/src/page/layout.rs, where the fields are described.
 */

/** An answer of an export: the output holds a failure. */
export const FAILED = -1;

/** An answer of an export: nothing was done; make the same call again. */
export const WAIT = -2;

/** Answers of `cursor_next`. */
export const STEP = {
  done: 0,
  batch: 1,
  yield: 2,
  result: 3,
  sleep: 4,
} as const;

/** How files are read. */
export const REGION_MODE = {
  mmap: 0,
  pread: 1,
  'mmap-index': 2,
} as const;

/** What is flushed. */
export const FLUSH = {
  due: 0,
  wanted: 1,
  all: 2,
} as const;

/** What the statement that runs is to do. */
export const WISH = {
  goOn: 0,
  yield: 1,
  end: 2,
} as const;

/** Tags of parameters. */
export const PARAM = {
  null: 0,
  int: 1,
  uint: 2,
  double: 3,
  text: 4,
  bytes: 5,
} as const;

/** Whose failure it is. */
export const FAILURE_KINDS = {
  sql: 0,
  varve: 1,
} as const;

/** Codes of failures that are not SQL's. */
export const FAILURE_CODES = ['not_a_database', 'unreadable', 'unsupported', 'usage', 'read_only', 'no_space', 'gone'] as const;

/** A failure; the hint and the message follow. */
export const FAILURE_KIND = 0;
export const FAILURE_CODE = 1;
export const FAILURE_ERRNO = 2;
export const FAILURE_SQLSTATE = 4;
export const FAILURE_HINT_BYTES = 10;
export const FAILURE_POSITION = 12;
export const FAILURE_BYTES = 16;

/** Levels of warnings. */
export const WARNING_LEVELS = ['Note', 'Warning', 'Error'] as const;

/** A warning; its text follows. */
export const WARNING_LEVEL = 0;
export const WARNING_ERRNO = 1;
export const WARNING_TEXT_BYTES = 3;
export const WARNING_BYTES = 7;

/** What a statement ends with; warnings and the info follow. */
export const SUMMARY_AFFECTED_ROWS = 0;
export const SUMMARY_LAST_INSERT_ID = 8;
export const SUMMARY_STAMP = 16;
export const SUMMARY_WARNINGS = 20;
export const SUMMARY_BYTES = 24;

/** The bit of a stamp: a transaction is open. */
export const STAMP_IN_TRANSACTION = 2147483648;

/** The bit of a stamp: no other instance could go on. */
export const STAMP_IS_BOUND = 1073741824;

/** How far a piece is; warnings of a script follow. */
export const PROGRESS_START = 0;
export const PROGRESS_END = 4;
export const PROGRESS_DONE_BYTES = 8;
export const PROGRESS_ROWS = 12;
export const PROGRESS_BYTES = 20;

/** What `rows_open` takes; texts for NULL, fields and rows follow. */
export const ROWS_NULLS_BYTES = 0;
export const ROWS_FIELDS = 4;
export const ROWS_TEXT_BYTES = 8;
export const ROWS_SEPARATOR = 12;
export const ROWS_TRAITS = 16;
export const ROWS_ROWS_BEFORE = 20;
export const ROWS_BYTES = 28;

/** Bits of the traits of rows, by their position. */
export const ROWS_TRAIT = {
  isLast: 0,
  hasTitles: 1,
  dayFirst: 2,
  monthFirst: 3,
  decimalComma: 4,
  decimalPoint: 5,
  fillsShortLines: 6,
  hasEscapes: 7,
} as const;

/** The two counters that every statement is measured by. */
export const READS_PAGES_FAULTED = 0;
export const READS_BYTES_READ = 8;
export const READS_BYTES = 16;

/** Why the host has no number to answer: its answer is -1 less this one. */
export const REFUSAL = {
  gone: 0,
  cancelled: 1,
  host: 2,
  absent: 3,
  read_only: 4,
  wait: 5,
  no_space: 6,
  moved: 7,
  denied: 8,
} as const;

/** Bits of the traits of a directory, by their position. */
export const DIRECTORY_TRAIT = {
  suspends: 0,
  isRemote: 1,
  isWritable: 2,
  assertsWorkingSet: 3,
} as const;

/** Kinds of proposals, by their digit. */
export const PROPOSAL_KINDS = ['keyword', 'database', 'table', 'column', 'function'] as const;

/** The first four bytes of every page. */
export const PAGE_MAGIC = 0x31475056;

/** The beginning of a page. */
export const PAGE_HEADER_MAGIC = 0;
export const PAGE_HEADER_ROWS = 4;
export const PAGE_HEADER_COLUMNS = 8;
export const PAGE_HEADER_LENGTH = 12;
export const PAGE_HEADER_BYTES = 16;

/** A column in the directory of a page. */
export const PAGE_COLUMN_LAYOUT = 0;
export const PAGE_COLUMN_FLAGS = 1;
export const PAGE_COLUMN_VALIDITY = 4;
export const PAGE_COLUMN_OFFSETS = 8;
export const PAGE_COLUMN_UTF16 = 12;
export const PAGE_COLUMN_DATA = 16;
export const PAGE_COLUMN_DATA_BYTES = 20;
export const PAGE_COLUMN_BYTES = 32;

/** A flag of a page's column. */
export const PAGE_HAS_NULLS = 1;

/** A flag of a page's column. */
export const PAGE_ALL_ASCII = 2;

/** How the values of a column lie in a page. */
export const Layout = {
  allNull: 0,
  i32: 1,
  u32: 2,
  i64: 3,
  u64: 4,
  f32: 5,
  f64: 6,
  text: 7,
  binary: 8,
} as const;
export type Layout = (typeof Layout)[keyof typeof Layout];

/** A flag of a header's column. */
export const COLUMN_NULLABLE = 1;

/** A flag of a header's column. */
export const COLUMN_UNSIGNED = 2;

/** A flag of a header's column. */
export const COLUMN_PRIMARY_KEY = 4;

/** What a column's values mean, by number. */
export const KINDS = ['int', 'decimal', 'float', 'text', 'binary', 'date', 'datetime', 'time', 'year', 'json', 'geometry', 'enum', 'set', 'bit', 'vector', 'null'] as const;
export type ColumnKind = (typeof KINDS)[number];
