import type { FaultChoice } from './plan.ts';

/** In CI about half a minute on two cores: two files run at once. */
const SCHEDULES = process.env.CI === undefined ? 500 : 2500;

const { VARVE_SEED, VARVE_SCHEDULES, VARVE_STEALS, VARVE_FLUSHES, VARVE_SHARED_GC } = process.env;

/** Faults that the schedules may have. */
export const CHOICE: FaultChoice = {
  steals: VARVE_STEALS !== undefined,
  failingFlushes: VARVE_FLUSHES !== undefined,
  sharedCollections: VARVE_SHARED_GC !== undefined,
};

/** The seeds of one of several parts, as the environment asks for them. */
export function seedsOf(part: number, parts: number): number[] {
  const first = Number(VARVE_SEED ?? 1);
  const count = Number(VARVE_SCHEDULES ?? (VARVE_SEED === undefined ? SCHEDULES : 1));
  return Array.from({ length: count }, (_, at) => first + at).filter((_, at) => at % parts === part);
}
