import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { root } from './process.mjs';

/** Where `npm test` puts the binary that it builds. */
export const DOLT_DIRECTORY = join(root, '.cache/go/bin');

/**
 * Path of native Dolt, the oracle of the interop tests, or undefined when there is none.
 * `VARVE_DOLT` in the environment wins, then the PATH, what `npm test` built, and Go's own directory.
 *
 * @returns {string | undefined}
 */
export function findDolt() {
  const candidates = [process.env.VARVE_DOLT, inPath(), join(DOLT_DIRECTORY, 'dolt'), join(homedir(), 'go/bin/dolt')];
  return candidates.find(path => path !== undefined && path !== '' && existsSync(path));
}

function inPath() {
  try {
    return execFileSync('which', ['dolt'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}
