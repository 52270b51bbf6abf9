/** What of the disk's directories is a database (docs/format/store.md). */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A `.dolt` without its files holds settings alone, such as those in a home directory. */
export function isDatabase(directory: string): boolean {
  return existsSync(join(directory, '.dolt/noms')) && !existsSync(join(directory, '.dolt_safe_to_ignore'));
}

/**
 * The databases of a directory, or the directory itself where it is a remote's; none of what is no directory.
 *
 * The directory itself comes first: a data directory of Dolt's server may be a database and hold others.
 */
export function databasesIn(directory: string): string[] {
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return [];
  const below = readdirSync(directory, { withFileTypes: true })
    .filter(entry => entry.isDirectory() && entry.name !== '.dolt')
    .map(entry => join(directory, entry.name))
    .filter(isDatabase)
    .sort();
  if (isDatabase(directory)) return [directory, ...below];
  if (below.length > 0) return below;
  return existsSync(join(directory, 'manifest')) ? [directory] : [];
}
