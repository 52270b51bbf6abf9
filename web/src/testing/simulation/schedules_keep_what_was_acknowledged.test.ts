/**
 * Deterministic simulation of tabs: one seed is one schedule of statements, kills, frozen tabs, full disks, clock jumps and lost power.
 *
 * `VARVE_SCHEDULES=100000` runs more of them, `VARVE_SEED=7` one alone with its trace, both together so many from that seed on.
 * `VARVE_STEALS`, `VARVE_FLUSHES` and `VARVE_SHARED_GC` add faults whose findings are open: stolen locks, failing flushes, and
 * collections while several tabs share the files.
 */
import { expect, test } from 'vitest';
import { isBuilt } from '../built_engine.ts';
import { CorePool } from './cores.ts';
import { describePlan, type Plan, planOf } from './plan.ts';
import { runPlan } from './schedule.ts';
import { startingStorage } from './start.ts';

/** In CI about half a minute. */
const SCHEDULES = process.env.CI === undefined ? 500 : 2500;
/** Instances of the engine: tabs that live at a time, and those that were killed a moment ago. */
const CORES = 24;
/** Seeds that found a loss, with collections in shared files: a tab was killed within an append to the log of names. */
const FOUND_SHARED_COLLECTIONS = [2517];
/** Reports of violations that are printed whole. */
const REPORTS_MAX = 5;

const { VARVE_SEED, VARVE_SCHEDULES, VARVE_STEALS, VARVE_FLUSHES, VARVE_SHARED_GC } = process.env;
const choice = {
  steals: VARVE_STEALS !== undefined,
  failingFlushes: VARVE_FLUSHES !== undefined,
  sharedCollections: VARVE_SHARED_GC !== undefined,
};
const first = Number(VARVE_SEED ?? 1);
const count = Number(VARVE_SCHEDULES ?? (VARVE_SEED === undefined ? SCHEDULES : 1));

test.skipIf(!isBuilt)('schedules keep what was acknowledged', { timeout: 3_600_000 }, async () => {
  const pool = new CorePool();
  await pool.prepare(CORES);
  const start = await startingStorage(pool);
  const broken = async (plan: Plan): Promise<string | null> => {
    await pool.prepare(CORES);
    return (await runPlan(plan, start, pool)).violation;
  };
  const reports: string[] = [];
  let [acknowledged, uncertain, failures] = [0, 0, 0];
  for (let seed = first; seed < first + count; seed++) {
    await pool.prepare(CORES);
    const plan = planOf(seed, choice);
    const result = await runPlan(plan, start, pool, count === 1);
    acknowledged += result.acknowledged;
    uncertain += result.uncertain;
    if (count === 1) console.log(`${describePlan(plan)}\n${result.trace.join('\n')}`);
    if (result.violation === null) continue;
    if (++failures > REPORTS_MAX) {
      reports.push(`seed ${seed}: ${result.violation}`);
      continue;
    }
    const small = await shrunk(plan, broken);
    const path = 'web/src/testing/simulation';
    reports.push(
      `seed ${seed}: ${result.violation}\nshrunk to ${describePlan(small)}\nalone: VARVE_SEED=${seed} npx vitest run --project node ${path}`,
    );
  }
  console.log(`${count} schedules: ${acknowledged} commits acknowledged, ${uncertain} uncertain`);
  expect(reports.join('\n\n')).toBe('');
});

test.skipIf(!isBuilt)('schedules that lost a commit keep it', async () => {
  const pool = new CorePool();
  await pool.prepare(CORES);
  const start = await startingStorage(pool);
  for (const seed of FOUND_SHARED_COLLECTIONS) {
    await pool.prepare(CORES);
    const plan = planOf(seed, { steals: false, failingFlushes: false, sharedCollections: true });
    const { violation } = await runPlan(plan, start, pool);
    expect(`seed ${seed}: ${violation}`).toBe(`seed ${seed}: null`);
  }
});

test.skipIf(!isBuilt)('a schedule is the same every time', async () => {
  const pool = new CorePool();
  await pool.prepare(CORES);
  const start = await startingStorage(pool);
  for (let seed = 1; seed <= 20; seed++) {
    const plan = planOf(seed, choice);
    const [once, again] = [await runPlan(plan, start, pool), await runPlan(plan, start, pool)];
    expect(again.fingerprint).toBe(once.fingerprint);
  }
});

/** A plan with as few steps as break a promise: those that can be left out are. */
async function shrunk(plan: Plan, broken: (plan: Plan) => Promise<string | null>): Promise<Plan> {
  let small = plan;
  for (let size = Math.ceil(plan.steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < small.steps.length; ) {
      const steps = [...small.steps.slice(0, at), ...small.steps.slice(at + size)];
      const fewer = { ...small, steps };
      if ((await broken(fewer)) === null) at += size;
      else small = fewer;
    }
  }
  return small;
}
