/** What becomes of the commits of a branch when it is rebased: a list to be edited before anything happens. Pure. */

export const REBASE_ACTIONS = ['pick', 'reword', 'squash', 'fixup', 'edit', 'drop'] as const;
export type RebaseAction = (typeof REBASE_ACTIONS)[number];

export const ACTION_MEANINGS: Readonly<Record<RebaseAction, string>> = {
  pick: 'keep the commit',
  reword: 'change the message',
  squash: 'combine with the previous commit, joining messages',
  fixup: 'combine with the previous commit, dropping its message',
  edit: 'stop after the commit to edit it',
  drop: 'remove the commit',
};

export interface RebaseStep {
  readonly hash: string;
  readonly message: string;
  readonly action: RebaseAction;
  /** The message of a reworded commit. */
  readonly reworded: string;
}

export function planOf(commits: readonly { readonly hash: string; readonly message: string }[]): RebaseStep[] {
  return commits.map(({ hash, message }) => ({ hash, message, action: 'pick', reworded: message }));
}

/** The plan with one step somewhere else. */
export function moveStep(plan: readonly RebaseStep[], from: number, to: number): readonly RebaseStep[] {
  const moved = plan[from];
  if (moved === undefined || to < 0 || to >= plan.length) return plan;
  const rest = plan.filter((_, index) => index !== from);
  return [...rest.slice(0, to), moved, ...rest.slice(to)];
}

export function changeStep(plan: readonly RebaseStep[], at: number, part: Partial<RebaseStep>): readonly RebaseStep[] {
  return plan.map((step, index) => (index === at ? { ...step, ...part } : step));
}

/** Differs from taking every commit as it is, in order. */
export function isChangedPlan(plan: readonly RebaseStep[], first: readonly { readonly hash: string }[]): boolean {
  return plan.some(({ action, hash }, index) => action !== 'pick' || hash !== first[index]?.hash);
}

/** Why a plan cannot be run. */
export function planProblem(plan: readonly RebaseStep[]): string | undefined {
  const kept = plan.filter(({ action }) => action !== 'drop');
  if (kept.length === 0) return 'Every commit is dropped. Reset the branch instead';
  const first = kept[0];
  if (first?.action === 'squash' || first?.action === 'fixup')
    return 'The first commit has no earlier one to be combined with';
  const blank = plan.find(({ action, reworded }) => action === 'reword' && reworded.trim() === '');
  return blank === undefined ? undefined : 'A reworded commit needs a message';
}

/** A rebase that has stopped is on a branch of its own, named after the one that it rebases. */
const PREFIX = 'dolt_rebase_';

/** The branch of which this is the stopped rebase. */
export function rebasedBranch(branch: string): string | undefined {
  return branch.startsWith(PREFIX) ? branch.slice(PREFIX.length) : undefined;
}
