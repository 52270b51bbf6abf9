/** Detection of the delimiter of CSV, by its first rows. Pure. */
import { BACKSLASH_ESCAPE, type CsvEscape } from './csv_escapes.ts';
import { leadingComments, namedSeparator, withoutLines } from './csv_preamble.ts';
import { type CsvField, CsvReader } from './csv_reader.ts';

const SEPARATORS = [',', ';', '\t', '|'] as const;
/** Separates quoted fields (`write.table` of R), where nothing else reads the quotes. */
const BLANK = ' ';
/** Separate fields where nothing else does: those of old exports, and of Hive. */
const RARE = ['~', '^', '\x01'] as const;

export type Separator = (typeof SEPARATORS)[number] | typeof BLANK | (typeof RARE)[number];

/** How values begin that are no titles. */
const NUMBER_OR_DATE = /^[+-]?\.?\d/;

/** So many rows say what separates their fields. */
const ROWS_MAX = 200;

/** How fields are written. */
export interface CsvForm {
  readonly separator: string;
  readonly escape: CsvEscape;
  /** Lines before the titles. */
  readonly skipLines: number;
}

/** What of it is known already. */
export interface SaidForm {
  readonly skipLines?: number | undefined;
  readonly separator?: string | undefined;
  readonly escape?: CsvEscape | undefined;
}

/**
 * Finds what cuts all rows into the same number of fields, the more the better; or else what does so with the most rows, at least with half
 * of them; or what cuts most rows at all; a comma where nothing does. Quotes are heeded.
 *
 * @param isWhole the text has no more
 */
export function findSeparator(text: string, isWhole = false, quoteEscape?: CsvEscape): Separator {
  return (
    quoteEscape === undefined ? findForm(text, isWhole).separator : separatorIn(text, isWhole, quoteEscape)
  ) as Separator;
}

/**
 * As `findSeparator`, with the lines before the titles, and what is before quotes within fields. A backslash does only where more rows have
 * the same number of fields than where it is data: of a file that can be read in both ways it is data, as RFC 4180 says.
 *
 * Skipped are a first line `sep=;` of Excel, and lines that begin with `#`, but for the last one where that names the columns: it has as many
 * fields as the rows, and the next line has values.
 */
export function findForm(text: string, isWhole: boolean, said: SaidForm = {}): CsvForm {
  if (said.skipLines !== undefined) {
    return { ...bodyForm(withoutLines(text, said.skipLines), isWhole, said), skipLines: said.skipLines };
  }
  const named = namedSeparator(text);
  if (named !== undefined) {
    const separator = said.separator ?? named;
    return { ...bodyForm(withoutLines(text, 1), isWhole, { ...said, separator }), skipLines: 1 };
  }
  const comments = leadingComments(text);
  if (comments.length === 0) return { ...bodyForm(text, isWhole, said), skipLines: 0 };
  const body = withoutLines(text, comments.length);
  const form = bodyForm(body, isWhole, said);
  const { width } = readingOf(body, form.separator, isWhole, form.escape);
  // Of one column every line is one field.
  if (width < 2) return { ...bodyForm(text, isWhole, said), skipLines: 0 };
  const [last] = firstRows(comments.at(-1) ?? '', form.separator, true, form.escape);
  const [first = []] = firstRows(body, form.separator, isWhole, form.escape);
  const isTitles = last?.length === width && first.some(field => field !== null && NUMBER_OR_DATE.test(field));
  return { ...form, skipLines: comments.length - (isTitles ? 1 : 0) };
}

/** How the fields of a text are written that begins with its titles. */
function bodyForm(text: string, isWhole: boolean, said: SaidForm): Omit<CsvForm, 'skipLines'> {
  const formOf = (quoteEscape: CsvEscape): Omit<CsvForm, 'skipLines'> => ({
    separator: said.separator ?? separatorIn(text, isWhole, quoteEscape),
    escape: quoteEscape,
  });
  if (said.escape !== undefined) return formOf(said.escape);
  const plain = formOf('');
  if (!text.includes(`${BACKSLASH_ESCAPE}"`)) return plain;
  const escaped = formOf(BACKSLASH_ESCAPE);
  const [some, none] = [escaped, plain].map(form => {
    const { rows, share, width } = readingOf(text, form.separator, isWhole, form.escape);
    const fitting = Math.round(rows * share);
    // One field to a row fits anything.
    return { cut: width > 1 ? fitting : 0, fitting };
  }) as [Fit, Fit];
  const fitsBetter = some.cut === none.cut ? some.fitting > none.fitting : some.cut > none.cut;
  return fitsBetter ? escaped : plain;
}

/** How many rows have the same number of fields. */
interface Fit {
  /** Of those with more than one. */
  readonly cut: number;
  readonly fitting: number;
}

function separatorIn(text: string, isWhole: boolean, quoteEscape: CsvEscape): Separator {
  const readings = SEPARATORS.map(separator => ({ separator, ...readingOf(text, separator, isWhole, quoteEscape) }));
  const isReadable = readings.some(({ rows }) => rows > 0);
  const candidates = isReadable
    ? readings
    : [{ separator: BLANK, ...readingOf(text, BLANK, isWhole, quoteEscape) } as const];
  let best: Reading & { separator: Separator } = { separator: ',', rows: 0, share: 0.5, cut: 0, width: 1 };
  for (const found of candidates) {
    if (found.width < 2 || found.share < best.share) continue;
    if (found.share > best.share || found.width > best.width) best = found;
  }
  if (best.rows > 0) return best.separator;
  const rare = RARE.find(separator => {
    const { rows, share, width } = readingOf(text, separator, isWhole, quoteEscape);
    return rows > 1 && width > 1 && share === 1;
  });
  if (rare !== undefined) return rare;
  type Candidate = Reading & { readonly separator: Separator };
  const cut = candidates.reduce<Candidate>((most, found) => (found.cut > most.cut ? found : most), {
    ...best,
    cut: 0.5,
  });
  return cut.separator;
}

/** The first rows of a text, as a separator cuts them. */
interface Reading {
  /** None where it does not read the quotes. */
  readonly rows: number;
  /** How many of the rows have the most common number of fields. */
  readonly share: number;
  readonly width: number;
  /** How many of the rows have more than one field. */
  readonly cut: number;
}

function readingOf(text: string, separator: string, isWhole: boolean, quoteEscape: CsvEscape): Reading {
  const counts = firstRows(text, separator, isWhole, quoteEscape).map(({ length }) => length);
  const tally = new Map<number, number>();
  for (const count of counts) tally.set(count, (tally.get(count) ?? 0) + 1);
  let [width, most] = [0, 0];
  for (const [count, rows] of tally) if (rows > most) [width, most] = [count, rows];
  const rows = Math.max(1, counts.length);
  const cut = counts.filter(count => count > 1).length / rows;
  return { rows: counts.length, share: most / rows, cut, width };
}

/** The first rows that are whole; none where a quote ends before its field does. */
export function firstRows(
  text: string,
  separator: string,
  isWhole: boolean,
  quoteEscape: CsvEscape = '',
): readonly (readonly CsvField[])[] {
  try {
    return new CsvReader(separator, quoteEscape).read(text, isWhole).slice(0, ROWS_MAX);
  } catch {
    return [];
  }
}

/** The first rows of a text, titles before them, as an import cuts it; none where its quotes do not match. */
export function firstCsvRows(text: string, form: CsvForm, isWhole: boolean): readonly (readonly CsvField[])[] {
  return firstRows(withoutLines(text, form.skipLines), form.separator, isWhole, form.escape);
}

/**
 * Whether each line begins with a name that has no title, as R writes the rows of a table. A last field that is empty in all of them is
 * one of a separator at their ends.
 */
export function startsWithRowNames([titles = [], ...rows]: readonly (readonly (string | null)[])[]): boolean {
  const isLonger = titles.length > 1 && rows.length > 0 && rows.every(({ length }) => length === titles.length + 1);
  return isLonger && rows.some(row => row.at(-1) !== null && row.at(-1) !== '');
}
