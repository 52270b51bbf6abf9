import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/process.mjs';

/** Native Dolt: where Go or the tests put it, or the one in the PATH. */
export const dolt = [join(homedir(), 'go/bin/dolt'), join(root, '.cache/go/bin/dolt')].find(existsSync) ?? 'dolt';
