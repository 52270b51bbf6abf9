// Kills of a program that writes, with native Dolt writing beside it: exactly what was acknowledged is there afterwards.
// CI has two kills of each kind of work. The long form: `VARVE_KILLS=1000 npx vitest run --project node scripts/kills`; VARVE_SEED gives
// other moments.
import { existsSync } from 'node:fs';
import { test } from 'vitest';
import { findDolt } from '../dolt.mjs';
import { KINDS } from './batches.mjs';
import { runKills } from './rounds.ts';

const KILLS = Number(process.env.VARVE_KILLS ?? 2 * KINDS.length);
const SEED = Number(process.env.VARVE_SEED ?? 4711);
const isBuilt = existsSync(new URL('../../dist/package/node/index.js', import.meta.url));

test.skipIf(!isBuilt)(
  'signals for the group, ends of children and kills cost no acknowledged commit, and native Dolt loses none beside them',
  async () => {
    const killsOfDatabase = Math.max(1, Math.min(8, Math.ceil(KILLS / KINDS.length)));
    const tally = await runKills({
      kills: KILLS,
      killsOfDatabase,
      seed: SEED,
      dolt: findDolt() ?? '',
      log: console.log,
    });
    console.log(`seed ${SEED}:`, tally);
  },
  120_000 + KILLS * 20_000,
);
