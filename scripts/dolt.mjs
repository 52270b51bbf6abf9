import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { output, root } from './process.mjs';

/** Where `npm test` puts the binary that it builds. */
export const DOLT_DIRECTORY = join(root, '.cache/go/bin');

/**
 * Path of native Dolt, the oracle of the interop tests, or undefined when there is none.
 * `VARVE_DOLT` in the environment wins, then the PATH, what `npm test` built, and Go's own directory.
 *
 * @returns {string | undefined}
 */
export function findDolt() {
  const candidates = [
    process.env.VARVE_DOLT,
    output('which', ['dolt']),
    join(DOLT_DIRECTORY, 'dolt'),
    join(homedir(), 'go/bin/dolt'),
  ];
  return candidates.find(path => path !== undefined && path !== '' && existsSync(path));
}
