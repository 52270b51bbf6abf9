/** Kinds of columns that an import treats alike. */
import type { ColumnKind } from '../../../protocol/index.ts';

/** A text is no value of theirs, so that some may mean NULL. */
export const KINDS_WITHOUT_TEXT: ReadonlySet<ColumnKind> = new Set([
  'int',
  'decimal',
  'float',
  'date',
  'datetime',
  'time',
  'year',
]);
