import { Random } from './random.ts';

export type OperationKind =
  | 'append'
  | 'move'
  | 'rolledBack'
  | 'bulk'
  | 'raise'
  | 'read'
  | 'readTwice'
  | 'versionCommit'
  | 'collect'
  | 'table'
  | 'cancelled'
  | 'timedOut'
  | 'script';

/** One operation of a session. */
export interface PlannedOperation {
  readonly what: 'operation';
  readonly number: number;
  readonly kind: OperationKind;
  readonly tab: number;
  readonly session: number;
  /** Not before this moment. */
  readonly atMs: number;
}

/** Something that happens to a tab, the storage, the locks or the clock. */
export interface PlannedFault {
  readonly what:
    | 'kill'
    | 'killWithin'
    | 'close'
    | 'freeze'
    | 'quota'
    | 'failingFlushes'
    | 'heal'
    | 'clockJump'
    | 'steal'
    | 'powerLoss';
  readonly tab: number;
  readonly atMs: number;
  /** Operations until a kill, bytes until the quota, milliseconds of sleep or of the clock's jump. */
  readonly amount: number;
}

export type Step = PlannedOperation | PlannedFault;

/** What a seed decides before anything runs; delays and torn bytes are decided on the way. */
export interface Plan {
  readonly seed: number;
  readonly isExclusive: boolean;
  readonly durability: 'full' | 'relaxed';
  readonly lockTimeoutMs: number;
  readonly tabs: number;
  readonly steps: readonly Step[];
}

/** Which kinds of faults a run may have: some are switched off to look at others. */
export interface FaultChoice {
  readonly steals: boolean;
  readonly failingFlushes: boolean;
  /** Collections while several tabs share the files. */
  readonly sharedCollections: boolean;
}

const COMMON: readonly OperationKind[] = ['append', 'append', 'append', 'move', 'move', 'raise', 'read', 'read'];
const RARE: readonly OperationKind[] = [
  'rolledBack',
  'bulk',
  'readTwice',
  'versionCommit',
  'collect',
  'table',
  'cancelled',
  'timedOut',
  'script',
];

export function planOf(seed: number, choice: FaultChoice): Plan {
  const random = new Random(seed ^ 0x5eed);
  const tabs = 1 + random.below(3);
  const lengthMs = random.pick([40, 200, 1500]);
  const isExclusive = random.chance(0.4);
  const collects = isExclusive || tabs === 1 || choice.sharedCollections;
  const steps: Step[] = [];
  let number = 0;
  for (let tab = 0; tab < tabs; tab++) {
    const sessions = 1 + random.below(2);
    for (let session = 0; session < sessions; session++) {
      const count = 2 + random.below(tabs === 1 ? 10 : 6);
      let atMs = random.fraction() * lengthMs * 0.3;
      for (let at = 0; at < count; at++) {
        const picked = random.chance(0.25) ? random.pick(RARE) : random.pick(COMMON);
        const kind = picked === 'collect' && !collects ? 'read' : picked;
        steps.push({ what: 'operation', number: ++number, kind, tab, session, atMs });
        if (random.chance(0.5)) atMs += (random.fraction() * 2 * lengthMs) / count;
      }
    }
  }
  const faults = random.below(4);
  const kinds: PlannedFault['what'][] = ['kill', 'killWithin', 'killWithin', 'close', 'freeze', 'quota', 'clockJump'];
  if (choice.failingFlushes) kinds.push('failingFlushes');
  if (choice.steals) kinds.push('steal');
  for (let at = 0; at < faults; at++) {
    const what = random.pick(kinds);
    const fault = {
      what,
      tab: random.below(tabs),
      atMs: 5 + random.fraction() * lengthMs,
      amount: amountOf(what, random),
    };
    steps.push(fault);
    if (what === 'quota' || what === 'failingFlushes')
      steps.push({ what: 'heal', tab: 0, atMs: fault.atMs + random.fraction() * 400, amount: 0 });
  }
  if (random.chance(0.25))
    steps.push({ what: 'powerLoss', tab: 0, atMs: 10 + random.fraction() * lengthMs * 1.5, amount: 0 });
  return {
    seed,
    isExclusive,
    durability: random.chance(0.85) ? 'full' : 'relaxed',
    lockTimeoutMs: random.pick([300, 2000, 30_000]),
    tabs,
    steps,
  };
}

function amountOf(what: PlannedFault['what'], random: Random): number {
  switch (what) {
    case 'killWithin':
      return random.below(12);
    case 'quota':
      return random.below(6000);
    case 'failingFlushes':
      return 0.3 + 0.7 * random.fraction();
    case 'freeze':
      return random.pick([100, 1000, 20_000]);
    case 'clockJump':
      return random.pick([-3_600_000, -50, 50, 5_000, 86_400_000]);
    default:
      return 1 + random.fraction() * 50;
  }
}

/** A plan as one line for each step, in order of time. */
export function describePlan(plan: Plan): string {
  const { seed, isExclusive, durability, lockTimeoutMs, tabs } = plan;
  const steps = [...plan.steps].sort((a, b) => a.atMs - b.atMs);
  const lines = steps.map(step => {
    const what =
      step.what === 'operation'
        ? `session ${step.session} ${step.kind} (operation ${step.number})`
        : `${step.what} ${step.amount ? step.amount.toFixed(1) : ''}`;
    return `  ${step.atMs.toFixed(1).padStart(8)} ms  tab ${step.tab}  ${what}`;
  });
  const browser = isExclusive ? 'one tab has the files' : 'tabs share the files';
  return [
    `seed ${seed}: ${tabs} tabs, ${browser}, durability ${durability}, lock timeout ${lockTimeoutMs} ms`,
    ...lines,
  ].join('\n');
}
