/** What stands between the fields of CSV, by its first rows. Pure. */
import { type CsvField, CsvReader } from './csv_reader.ts';

const SEPARATORS = [',', ';', '\t', '|'] as const;
/** Separates quoted fields (`write.table` of R), where nothing else reads the quotes. */
const BLANK = ' ';

export type Separator = (typeof SEPARATORS)[number] | typeof BLANK;

/** So many rows say what separates their fields. */
const ROWS_MAX = 200;

/**
 * Finds what cuts all rows into the same number of fields, the more the better; or else what does so with the most rows, at least with half
 * of them; or what cuts most rows at all; a comma where nothing does. Quotes are heeded.
 *
 * @param isWhole the text has no more
 */
export function findSeparator(text: string, isWhole = false): Separator {
  const readings = SEPARATORS.map(separator => readingOf(text, separator, isWhole));
  const isReadable = readings.some(({ rows }) => rows > 0);
  const candidates = isReadable ? readings : [readingOf(text, BLANK, isWhole)];
  let best: Reading = { separator: ',', rows: 0, share: 0.5, cut: 0, width: 1 };
  for (const found of candidates) {
    if (found.width < 2 || found.share < best.share) continue;
    if (found.share > best.share || found.width > best.width) best = found;
  }
  if (best.rows > 0) return best.separator;
  const cut = candidates.reduce((most, found) => (found.cut > most.cut ? found : most), { ...best, cut: 0.5 });
  return cut.separator;
}

/** The first rows of a text, as a separator cuts them. */
interface Reading {
  readonly separator: Separator;
  /** None where it does not read the quotes. */
  readonly rows: number;
  /** How many of the rows have the most common number of fields. */
  readonly share: number;
  readonly width: number;
  /** How many of the rows have more than one field. */
  readonly cut: number;
}

function readingOf(text: string, separator: Separator, isWhole: boolean): Reading {
  const counts = firstRows(text, separator, isWhole).map(({ length }) => length);
  const tally = new Map<number, number>();
  for (const count of counts) tally.set(count, (tally.get(count) ?? 0) + 1);
  let [width, most] = [0, 0];
  for (const [count, rows] of tally) if (rows > most) [width, most] = [count, rows];
  const rows = Math.max(1, counts.length);
  const cut = counts.filter(count => count > 1).length / rows;
  return { separator, rows: counts.length, share: most / rows, cut, width };
}

/** The first rows that are whole; none where a quote ends before its field does. */
export function firstRows(text: string, separator: string, isWhole: boolean): readonly (readonly CsvField[])[] {
  try {
    return new CsvReader(separator).read(text, isWhole).slice(0, ROWS_MAX);
  } catch {
    return [];
  }
}
