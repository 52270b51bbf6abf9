/** What of the disk's directories is a database (docs/format/store.md). */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { emptyDatabase } from '../../host/files/empty_database.ts';
import { isAside, isLeftBy } from './aside.ts';

/** Without it a directory is no database. */
export const MANIFEST = '.dolt/noms/manifest';

/** Native Dolt skips a directory with this file: a database that is under construction. */
export const UNFINISHED_MARK = '.dolt_safe_to_ignore';
const MADE_BY = 'varve';

/** A `.dolt` without its files holds settings alone, such as those in a home directory. */
export function isDatabase(directory: string): boolean {
  return existsSync(join(directory, '.dolt/noms')) && !existsSync(join(directory, UNFINISHED_MARK));
}

/** What the mark of an unfinished database says: that Varve makes it, and which process. */
export function markText(): Uint8Array {
  return new TextEncoder().encode(`${MADE_BY} ${process.pid}`);
}

/** Whether a process was killed while it made a database there. */
export function isUnfinished(directory: string): boolean {
  const mark = join(directory, UNFINISHED_MARK);
  if (!existsSync(mark)) return false;
  const [maker, pid] = readFileSync(mark, 'utf8').split(' ');
  return maker === MADE_BY && isLeftBy(Number(pid), mark);
}

/**
 * Whether `.dolt` holds a part of a new database and nothing else: earlier versions wrote one file after the other, the manifest last, and
 * were killed.
 */
export function isLeft(directory: string): boolean {
  const dolt = join(directory, '.dolt');
  if (existsSync(join(directory, MANIFEST)) || !existsSync(join(dolt, 'repo_state.json'))) return false;
  const whole = new Map(Object.entries(emptyDatabase()));
  const isPart = (path: string): boolean => {
    const bytes = readFileSync(path);
    const name = relative(directory, path).replaceAll('\\', '/');
    return bytes.equals((whole.get(name) ?? new Uint8Array()).subarray(0, bytes.length));
  };
  const entries = readdirSync(dolt, { withFileTypes: true, recursive: true });
  return entries.every(entry => entry.isDirectory() || isPart(join(entry.parentPath, entry.name)));
}

/**
 * The databases of a directory, or the directory itself where it is a remote's; none of what is no directory.
 *
 * The directory itself comes first: a data directory of Dolt's server may be a database and hold others.
 */
export function databasesIn(directory: string): string[] {
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return [];
  const below = readdirSync(directory, { withFileTypes: true })
    .filter(entry => entry.isDirectory() && entry.name !== '.dolt' && !isAside(entry.name))
    .map(entry => join(directory, entry.name))
    .filter(isDatabase)
    .sort();
  if (isDatabase(directory)) return [directory, ...below];
  if (below.length > 0) return below;
  return existsSync(join(directory, 'manifest')) ? [directory] : [];
}
