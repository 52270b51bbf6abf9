/** Dates and numbers as people write them: 10.02.2024, 2/10/2024 3:04 PM, 9,50, 1.234,50. Pure. */

/** The order of a date's day and month. */
export type DateOrder = 'dmy' | 'mdy';

/** The decimal separator; the other of the two may stand between its thousands. */
export type DecimalMark = ',' | '.';

export interface WrittenForms {
  readonly dates?: DateOrder | undefined;
  readonly decimal?: DecimalMark | undefined;
}

const DATE =
  /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?:,?[ T](\d{1,2}):(\d\d)(?::(\d\d(?:\.\d{1,6})?))?(?: ?([ap])\.?m\.?)?)?$/i;
const HAS_DIGIT = /\d/;
const ISO_DATE = /^\d{4}-\d\d-\d\d(?:[ T].*)?$/;
const NUMBERS: Readonly<Record<DecimalMark, RegExp>> = {
  ',': /^[+-]?(?:\d+|[1-9]\d{0,2}(?:\.\d{3})+)(?:,\d+)?$/,
  '.': /^[+-]?(?:\d+|[1-9]\d{0,2}(?:,\d{3})+)(?:\.\d+)?(?:e[+-]?\d+)?$/i,
};

/** `YYYY-MM-DD`, with the time where there is one; null for what is no date in this order. */
export function dateOf(text: string, order: DateOrder): string | null {
  if (ISO_DATE.test(text)) return text;
  const found = DATE.exec(text);
  if (found === null) return null;
  const [, first = '', , second = '', year = '', hour, minute = '', seconds = '00', half] = found;
  const [day, month] = order === 'dmy' ? [first, second] : [second, first];
  if (!isWithin(day, 1, 31) || !isWithin(month, 1, 12)) return null;
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (hour === undefined) return date;
  if (half !== undefined && !isWithin(hour, 1, 12)) return null;
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  return hours > 23 || Number(minute) > 59 ? null : `${date} ${String(hours).padStart(2, '0')}:${minute}:${seconds}`;
}

/** A number as SQL writes it; null for what is none with this mark. */
export function numberOf(text: string, mark: DecimalMark): string | null {
  if (!NUMBERS[mark].test(text)) return null;
  return text
    .replaceAll(mark === ',' ? '.' : ',', '')
    .replace(mark, '.')
    .replace('+', '');
}

function isWithin(digits: string, least: number, most: number): boolean {
  return Number(digits) >= least && Number(digits) <= most;
}

/** Formats of the columns of a text, as detected. */
export interface FoundForms {
  /** `unclear` where days and months could be either. Undefined where there are no such dates, or of both orders. */
  readonly dates: DateOrder | 'unclear' | undefined;
  /** The first of these dates. */
  readonly exampleDate: string;
  /** `unclear` where commas could stand before decimals or between thousands. */
  readonly decimal: DecimalMark | 'unclear' | undefined;
  /** The first of these numbers. */
  readonly exampleNumber: string;
}

/** So many different texts without a digit, such as `n/a`, may be among the dates or numbers of a column. */
const STRAYS_MAX = 3;

/** Looks at all values of each column of a sample: rows of a CSV file without its titles, an empty text for no value. */
export function findForms(rows: readonly (readonly (string | null)[])[]): FoundForms {
  const columns = Array.from({ length: Math.max(0, ...rows.map(row => row.length)) }, (_, column) =>
    withoutStrays(rows.flatMap(row => row[column] || [])),
  ).filter(values => values.length > 0);
  const dates = columns.filter(values => values.every(value => DATE.test(value)) && orders(values).length > 0);
  // Plain numbers say nothing, and what has points alone is one as it is.
  const numbers = columns.filter(values => marks(values).length > 0 && values.some(value => value.includes(',')));
  return {
    dates: one(dates.map(orders)),
    exampleDate: dates[0]?.[0] ?? '',
    decimal: one(numbers.map(marks)),
    exampleNumber: numbers[0]?.find(value => value.includes(',')) ?? '',
  };
}

/** What is neither a date nor a number tells nothing of how these are written, where there is little of it. */
function withoutStrays(values: readonly string[]): readonly string[] {
  const strays = values.filter(value => !HAS_DIGIT.test(value));
  const areFew = strays.length < values.length / 2 && new Set(strays).size <= STRAYS_MAX;
  return areFew ? values.filter(value => HAS_DIGIT.test(value)) : [];
}

function orders(values: readonly string[]): readonly DateOrder[] {
  return (['dmy', 'mdy'] as const).filter(order => values.every(value => dateOf(value, order) !== null));
}

function marks(values: readonly string[]): readonly DecimalMark[] {
  return ([',', '.'] as const).filter(mark => values.every(value => numberOf(value, mark) !== null));
}

/** What one of the columns tells, if none tells another thing. */
function one<T>(columns: readonly (readonly T[])[]): T | 'unclear' | undefined {
  if (columns.length === 0) return undefined;
  const told = new Set(columns.filter(({ length }) => length === 1).map(([only]) => only as T));
  if (told.size > 1) return undefined;
  const [only] = told;
  return only ?? 'unclear';
}
