/** What the columns of a result are to a chart: numbers, times or words. Pure. */
import type { BatchColumn, Column } from '../../lib/index.ts';

/** Rows of a result, wherever they are kept. */
export interface ChartRows {
  readonly columns: readonly Column[];
  readonly rowCount: number;
  locate(row: number, column: number): { readonly values: BatchColumn; readonly index: number } | undefined;
}

export type Role = 'number' | 'time' | 'text';

export interface ChartColumn {
  readonly index: number;
  readonly name: string;
  readonly role: Role;
  /** Numbers that identify: keys, years. They are not summed. */
  readonly isName: boolean;
  /** Different values among the first rows. */
  readonly distinct: number;
  /** No value among the first rows comes twice. */
  readonly isUnique: boolean;
  /** A few words that most rows have one of: each may have a colour. */
  readonly isKind: boolean;
}

/** More kinds than this have no colours that can be told apart. */
export const KINDS = 6;
const KIND_CHARS = 24;
const SAMPLE_ROWS = 1000;
const NAMED_KEY = /(^|_)(id|no|nr|key|code)$/i;
const NAMED_TIME = /(^|_)(year|month|week|day|hour|quarter|decade)$/i;
/** As DATE_FORMAT or a text column writes them. */
const DATE_TEXT = /^\d{4}-\d\d(-\d\d([ T]\d\d:\d\d(:\d\d(\.\d+)?)?)?)?$/;

/** The columns that can be drawn. */
export function chartColumns(rows: ChartRows): readonly ChartColumn[] {
  const count = Math.min(SAMPLE_ROWS, rows.rowCount);
  return rows.columns.flatMap((column, index): ChartColumn[] => {
    const plain = plainRole(column);
    if (plain === undefined) return [];
    const found = Array.from({ length: count }, (_, row) => textAt(rows, row, index)).filter(text => text !== null);
    const role = plain === 'text' && found.length > 0 && found.every(text => DATE_TEXT.test(text)) ? 'time' : plain;
    const distinct = new Set(found).size;
    const { name, kind, primaryKey } = column;
    const isName =
      role === 'number' &&
      (primaryKey || kind === 'year' || NAMED_KEY.test(name) || (kind === 'int' && NAMED_TIME.test(name)));
    const isShort = found.every(text => text.length <= KIND_CHARS);
    const isKind = role === 'text' && distinct > 1 && distinct <= KINDS && isShort && found.length * 2 >= count;
    return [{ index, name, role, isName, distinct, isUnique: distinct === count, isKind }];
  });
}

function plainRole({ kind }: Column): Role | undefined {
  switch (kind) {
    case 'int':
    case 'decimal':
    case 'float':
    case 'year':
      return 'number';
    case 'date':
    case 'datetime':
      return 'time';
    case 'text':
    case 'enum':
    case 'set':
    case 'time':
      return 'text';
    default:
      return undefined;
  }
}

/** Null for NULL. */
export function textAt(rows: ChartRows, row: number, column: number): string | null {
  const cell = rows.locate(row, column);
  return cell?.values.text(cell.index) ?? null;
}

/** A number, or milliseconds since 1970 as if clocks stood in UTC; undefined for what is neither. */
export function numberOf(text: string | null, role: Role): number | undefined {
  if (text === null || text === '' || role === 'text') return undefined;
  const iso = /^\d{4}-\d\d$/.test(text) ? `${text}-01` : text.replace(' ', 'T');
  const value = role === 'number' ? Number(text) : Date.parse(iso.length <= 10 ? iso : `${iso}Z`);
  return Number.isFinite(value) ? value : undefined;
}
