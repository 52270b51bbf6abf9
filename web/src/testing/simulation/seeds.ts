import type { FaultChoice } from './plan.ts';

/** In CI a minute and a half of one core. */
const SCHEDULES = process.env.CI === undefined ? 500 : 5000;

const { VARVE_SEED, VARVE_SCHEDULES, VARVE_WITHOUT = '' } = process.env;

/** Faults that the schedules may have: all, but for those that `VARVE_WITHOUT` names. */
export const CHOICE: FaultChoice = {
  steals: !VARVE_WITHOUT.includes('steals'),
  failingFlushes: !VARVE_WITHOUT.includes('flushes'),
  sharedCollections: !VARVE_WITHOUT.includes('collections'),
};

/** The seeds of one of several parts, as the environment asks for them. */
export function seedsOf(part: number, parts: number): number[] {
  const first = Number(VARVE_SEED ?? 1);
  const count = Number(VARVE_SCHEDULES ?? (VARVE_SEED === undefined ? SCHEDULES : 1));
  return Array.from({ length: count }, (_, at) => first + at).filter((_, at) => at % parts === part);
}
