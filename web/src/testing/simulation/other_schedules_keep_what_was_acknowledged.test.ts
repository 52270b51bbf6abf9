/** The other half of the schedules of `schedules_keep_what_was_acknowledged.test.ts`, for another core. */
import { test } from 'vitest';
import { isBuilt } from '../built_engine.ts';
import { checkSchedules } from './schedules.ts';
import { CHOICE, seedsOf } from './seeds.ts';

const seeds = seedsOf(1, 2);

test.skipIf(!isBuilt || seeds.length === 0)(
  'the other half of the schedules keeps what was acknowledged',
  { timeout: 3_600_000 },
  () => checkSchedules(seeds, CHOICE),
);
