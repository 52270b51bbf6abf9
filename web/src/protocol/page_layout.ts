/**
 * Result pages and result headers as the engine writes them (rust/engine/src/page/mod.rs). Little endian; every buffer of
 * a page starts at a multiple of 8 bytes from the page's first byte, so that typed arrays can be laid over it.
 */

/** "VPG1", the first four bytes of every page. */
export const PAGE_MAGIC = 0x31475056;
/** magic, rows, columns, byte length: four u32. */
export const PAGE_HEADER_BYTES = 16;
/** One column in the page's directory, see `PageColumn` in client/wire/page.ts. */
export const PAGE_COLUMN_BYTES = 32;

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

/** Bits of a page column's flag byte. */
export const PAGE_HAS_NULLS = 1;
export const PAGE_ALL_ASCII = 2;

/** Bits of a header column's flag byte. */
export const COLUMN_NULLABLE = 1;
export const COLUMN_UNSIGNED = 2;
export const COLUMN_PRIMARY_KEY = 4;

/** What a column's values mean. The header stores the index into this table. */
export const KINDS = [
  'int',
  'decimal',
  'float',
  'text',
  'binary',
  'date',
  'datetime',
  'time',
  'year',
  'json',
  'geometry',
  'enum',
  'set',
  'bit',
  'vector',
  'null',
] as const;
export type ColumnKind = (typeof KINDS)[number];
