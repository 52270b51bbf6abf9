import { expect, test } from 'vitest';
import { changedBy } from './row_changes.ts';

test('a merge that took the row of one side changed nothing, and one that made another row did', () => {
  // first ← ours, theirs ← merge (as ours) ← mixed (with side, as neither)
  const parents = new Map([
    ['mixed', ['merge', 'side']],
    ['merge', ['ours', 'theirs']],
    ['ours', ['first']],
    ['theirs', ['first']],
    ['side', ['first']],
    ['first', ['root']],
  ]);
  const has = new Map([
    ['first', 1],
    ['ours', 2],
    ['theirs', 1],
    ['merge', 2],
    ['side', 3],
    ['mixed', 4],
  ]);
  const changed = changedBy('mixed', parents, hash => has.get(hash));
  const told = changed.map(({ hash, before, after }) => `${hash} ${before} ${after}`).sort();
  expect(told).toEqual(['first undefined 1', 'mixed 2 4', 'ours 1 2', 'side 1 3']);
  // A side that removed the row and one that kept it: the merge that kept it changed nothing.
  has.delete('theirs');
  expect(changedBy('merge', parents, hash => has.get(hash)).map(({ hash }) => hash)).toEqual([
    'theirs',
    'first',
    'ours',
  ]);
});
