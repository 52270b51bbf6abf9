/** What stands between the fields of CSV, by its first rows. Pure. */
import { CsvReader } from './csv_reader.ts';

const SEPARATORS = [',', ';', '\t', '|'] as const;

export type Separator = (typeof SEPARATORS)[number];

/** So many rows say what separates their fields. */
const ROWS_MAX = 200;

/**
 * What cuts all rows into the same number of fields, the more the better; a comma where nothing does. Quotes are heeded.
 *
 * @param isWhole the text has no more
 */
export function findSeparator(text: string, isWhole = false): Separator {
  let best: Separator = ',';
  let most = 1;
  for (const separator of SEPARATORS) {
    const [first = 0, ...counts] = fieldCounts(text, separator, isWhole);
    if (first <= most || counts.some(count => count !== first)) continue;
    best = separator;
    most = first;
  }
  return best;
}

function fieldCounts(text: string, separator: Separator, isWhole: boolean): readonly number[] {
  try {
    const rows = new CsvReader(separator).read(text, isWhole);
    return rows.slice(0, ROWS_MAX).map(({ length }) => length);
  } catch {
    // A quote ends before what would be the end of its field.
    return [];
  }
}
