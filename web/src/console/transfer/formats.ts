/** What a file holds and what it becomes. */
import type { RowFormat } from '../../lib/index.ts';
import { isWord, nameOf, splitStatements, tokensOf } from '../sql/lexer.ts';

export type ImportFormat = 'sql' | RowFormat;

const BY_ENDING: readonly (readonly [RegExp, ImportFormat])[] = [
  [/\.sql$/i, 'sql'],
  [/\.(csv|tsv|psv)$/i, 'csv'],
  [/\.json$/i, 'json'],
  [/\.(jsonl|ndjson)$/i, 'jsonl'],
];

export const FORMAT_NAMES: Readonly<Record<ImportFormat, string>> = {
  sql: 'SQL statements',
  csv: 'CSV or TSV',
  json: 'JSON (array of objects)',
  jsonl: 'JSON lines (one object per line)',
};

const COMPRESSED = /\.gz$/i;

/** By the end of a name, compressed or not; undefined for one that says nothing. */
export function formatOf(fileName: string): ImportFormat | undefined {
  const plain = fileName.replace(COMPRESSED, '');
  return BY_ENDING.find(([ending]) => ending.test(plain))?.[1];
}

/** Whether a file is gzip, by its name: imports decompress it. */
export function isCompressed(file: File): boolean {
  return COMPRESSED.test(file.name);
}

/** The database that a dump makes or says that it is of, by its first lines. */
export function databaseNameIn(head: string): string | undefined {
  for (const { from, to } of splitStatements(head)) {
    const [verb, what, ...rest] = tokensOf(head.slice(from, to));
    if (!isWord(verb, 'CREATE') || !isWord(what, 'DATABASE', 'SCHEMA')) continue;
    const name = nameOf(rest.find(token => !isWord(token, 'IF', 'NOT', 'EXISTS')));
    if (name !== undefined) return name;
  }
  const said = /^-- (?:Host: .*\bDatabase: |Current Database: `)([\p{L}\p{N}_-]+)/mu.exec(head);
  return said?.[1];
}

/** A table's name from a file's: `2025 Seeds (final).csv` gives `2025_seeds_final`. */
export function tableNameOf(fileName: string): string {
  const stem = fileName
    .replace(COMPRESSED, '')
    .replace(/\.[^.]*$/, '')
    .toLowerCase();
  return stem.replace(/[^\p{L}\p{N}_]+/gu, '_').replace(/^_+|_+$/g, '') || 'imported';
}

/** A file's name for a table or database. */
export function fileNameOf(name: string, ending: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there.
  return `${name.replace(/[/\\:*?"<>|\u0000-\u001f]+/g, '_') || 'database'}.${ending}`;
}
