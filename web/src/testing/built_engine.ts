/** What tests in Node stand on: the engine as it was built, native Dolt beside it, and a directory that goes when they are done. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, test } from 'vitest';

/** Whether there is an engine: `npm run build` makes it. */
export const isBuilt = existsSync(createRequire(import.meta.url).resolve('#core'));
export const withEngine = test.skipIf(!isBuilt);

/** Native Dolt's binary; empty where there is none. */
export const DOLT = process.env.VARVE_DOLT ?? '';
export const withDolt = test.skipIf(!isBuilt || !existsSync(DOLT));

/** What a command of native Dolt prints in the directory of a database. */
export function dolt(path: string, ...args: string[]): string {
  return execFileSync(DOLT, args, { cwd: path, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** A directory of this test file's own. */
export function scratchDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'varve-test-'));
  afterAll(() => rmSync(directory, { recursive: true }));
  return directory;
}
