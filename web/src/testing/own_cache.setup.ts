/** Every test file of Node has a cache of remote bytes of its own: nothing that another one, or a person, has fetched is there. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const cache = mkdtempSync(join(tmpdir(), 'varve-cache-'));
process.env.XDG_CACHE_HOME = cache;

afterAll(() => rmSync(cache, { recursive: true, force: true }));
