import { expect, test } from 'vitest';
import { changeStep, isChangedPlan, moveStep, planOf, planProblem } from './rebase_plan.ts';

const commits = ['a', 'b', 'c'].map(hash => ({ hash, message: `message ${hash}` }));
const plan = planOf(commits);

test('steps move, and a plan in its first order is no change', () => {
  expect(moveStep(plan, 0, 2).map(({ hash }) => hash)).toEqual(['b', 'c', 'a']);
  expect(moveStep(plan, 2, 3)).toBe(plan);
  expect(isChangedPlan(plan, commits)).toBe(false);
  expect(isChangedPlan(moveStep(moveStep(plan, 0, 2), 2, 0), commits)).toBe(false);
  expect(isChangedPlan(changeStep(plan, 1, { action: 'drop' }), commits)).toBe(true);
});

test('a plan that cannot be run says why', () => {
  expect(planProblem(plan)).toBeUndefined();
  const squashed = changeStep(plan, 0, { action: 'squash' });
  expect(planProblem(squashed)).toMatch(/no earlier one/);
  expect(planProblem(changeStep(changeStep(plan, 0, { action: 'drop' }), 1, { action: 'fixup' }))).toMatch(
    /no earlier one/,
  );
  expect(planProblem(changeStep(plan, 1, { action: 'reword', reworded: ' ' }))).toMatch(/needs a message/);
  expect(planProblem(plan.map(step => ({ ...step, action: 'drop' as const })))).toMatch(/Reset the branch/);
});
