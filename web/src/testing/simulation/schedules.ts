import { expect } from 'vitest';
import { CorePool } from './cores.ts';
import { describePlan, type FaultChoice, type Plan, planOf } from './plan.ts';
import { runPlan } from './schedule.ts';
import { startingStorage } from './start.ts';

/** Instances of the engine: tabs that live at a time, and those that were killed a moment ago. */
const CORES = 24;
/** Reports of violations that are printed whole. */
const REPORTS_MAX = 5;

/** Runs plans one after the other over the same starting storage. */
export async function runner(): Promise<(plan: Plan, isTraced?: boolean) => ReturnType<typeof runPlan>> {
  const pool = new CorePool();
  await pool.prepare(CORES);
  const start = await startingStorage(pool);
  return async (plan, isTraced = false) => {
    await pool.prepare(CORES);
    return runPlan(plan, start, pool, isTraced);
  };
}

/** Runs the schedules of these seeds; a violation is reported with its plan, as short as it can be. One alone prints its trace. */
export async function checkSchedules(seeds: readonly number[], choice: FaultChoice): Promise<void> {
  const run = await runner();
  const reports: string[] = [];
  let [acknowledged, uncertain] = [0, 0];
  for (const seed of seeds) {
    const plan = planOf(seed, choice);
    const result = await run(plan, seeds.length === 1);
    acknowledged += result.acknowledged;
    uncertain += result.uncertain;
    if (seeds.length === 1) console.log(`${describePlan(plan)}\n${result.trace.join('\n')}`);
    if (result.violation === null) continue;
    let report = `seed ${seed}: ${result.violation}`;
    if (reports.length < REPORTS_MAX) {
      const small = await shrunk(plan, async fewer => (await run(fewer)).violation);
      const path = 'web/src/testing/simulation';
      report += `\nshrunk to ${describePlan(small)}\nalone: VARVE_SEED=${seed} npx vitest run --project node ${path}`;
    }
    reports.push(report);
  }
  console.log(`${seeds.length} schedules: ${acknowledged} commits acknowledged, ${uncertain} uncertain`);
  expect(reports.join('\n\n')).toBe('');
}

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
