/** What a file holds and what it becomes. Pure. */
import type { RowFormat } from '../../lib/index.ts';

export type ImportFormat = 'sql' | RowFormat;

const BY_ENDING: readonly (readonly [RegExp, ImportFormat])[] = [
  [/\.sql$/i, 'sql'],
  [/\.csv$/i, 'csv'],
  [/\.json$/i, 'json'],
  [/\.(jsonl|ndjson)$/i, 'jsonl'],
];

export const FORMAT_NAMES: Readonly<Record<ImportFormat, string>> = {
  sql: 'SQL statements',
  csv: 'CSV',
  json: 'JSON, an array of objects',
  jsonl: 'JSON, an object a line',
};

/** By the end of a name; undefined for one that says nothing. */
export function formatOf(fileName: string): ImportFormat | undefined {
  return BY_ENDING.find(([ending]) => ending.test(fileName))?.[1];
}

/** A table's name from a file's: `2025 Seeds (final).csv` gives `2025_seeds_final`. */
export function tableNameOf(fileName: string): string {
  const stem = fileName.replace(/\.[^.]*$/, '').toLowerCase();
  return stem.replace(/[^\p{L}\p{N}_]+/gu, '_').replace(/^_+|_+$/g, '') || 'imported';
}

/** A file's name for a table or database. */
export function fileNameOf(name: string, ending: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there.
  return `${name.replace(/[/\\:*?"<>|\u0000-\u001f]+/g, '_') || 'database'}.${ending}`;
}
