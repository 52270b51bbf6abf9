/** Which database a call is about: the first word behind the command, or the one of this directory. */
import { existsSync } from 'node:fs';
import { UsageError } from './commands/output.ts';
import { databasesIn, isDatabase } from './disk/databases_in.ts';

export interface SourceAndWords {
  readonly source: string;
  readonly words: readonly string[];
}

/**
 * In a database's directory the first word is one of the command unless it is clearly a source, for `varve diff main` there is meant as in
 * native Dolt; elsewhere it is the source.
 *
 * @throws UsageError when there is neither a source nor a database here.
 */
export function splitSource(words: readonly string[]): SourceAndWords {
  const [first, ...rest] = words;
  const isNone = first === undefined || (first.startsWith('-') && !existsSync(first));
  if (!isNone && (isSource(first) || !isDatabase('.'))) return { source: first, words: rest };
  if (isDatabase('.') || (isNone && databasesIn('.').length > 0)) return { source: '.', words };
  throw new UsageError(
    first === undefined
      ? 'no SOURCE given, and there is no database in this directory: `varve init` makes one'
      : `SOURCE comes before ${first}, and there is no database in this directory`,
  );
}

function isSource(word: string): boolean {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(word) || word === '.' || word === '..') return true;
  return databasesIn(word).length > 0 || (/\.(zip|tar|tgz|tar\.gz)$/i.test(word) && existsSync(word));
}

/** In a database's directory `varve add .` is about all tables, as in native Dolt, and not about a SOURCE. */
export function meantWords(command: string | undefined, words: readonly string[]): readonly string[] {
  const isOfTables = command === 'add' || command === 'checkout';
  const isAll = isOfTables && words.filter(word => !word.startsWith('-')).join(' ') === '.' && isDatabase('.');
  return isAll ? ['.', ...words] : words;
}
