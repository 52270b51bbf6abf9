import { expect, test } from 'vitest';
import { LaneLayout } from './lanes.ts';

const commit = (hash: string, ...parents: string[]) => ({ hash, parents });

function layoutLanes(commits: readonly ReturnType<typeof commit>[]) {
  const lanes = new LaneLayout();
  return commits.map(one => lanes.add(one));
}

test('a line of commits stays in one lane', () => {
  expect(layoutLanes([commit('c', 'b'), commit('b', 'a'), commit('a')])).toEqual([
    { lane: 0, passing: [], entering: [], leaving: [0] },
    { lane: 0, passing: [], entering: [0], leaving: [0] },
    { lane: 0, passing: [], entering: [0], leaving: [] },
  ]);
});

test('a merge opens a lane that ends at the fork', () => {
  const rows = layoutLanes([commit('m', 'x', 'y'), commit('x', 'a'), commit('y', 'a'), commit('a')]);
  expect(rows[0]).toEqual({ lane: 0, passing: [], entering: [], leaving: [0, 1] });
  expect(rows[1]).toEqual({ lane: 0, passing: [1], entering: [0], leaving: [0] });
  expect(rows[2]).toEqual({ lane: 1, passing: [0], entering: [1], leaving: [1] });
  expect(rows[3]).toEqual({ lane: 0, passing: [], entering: [0, 1], leaving: [] });
});

test('a branch head that nothing waits for takes a free lane', () => {
  const lanes = new LaneLayout();
  lanes.add(commit('c', 'a'));
  expect(lanes.add(commit('side', 'a'))).toEqual({ lane: 1, passing: [0], entering: [], leaving: [1] });
  expect(lanes.add(commit('a'))).toEqual({ lane: 0, passing: [], entering: [0, 1], leaving: [] });
  expect(lanes.laneCount).toBe(2);
});

test('lanes are used again after they end', () => {
  const rows = layoutLanes([
    commit('m2', 'm1', 'b'),
    commit('b', 'm1'),
    commit('m1', 'x', 'a'),
    commit('a', 'x'),
    commit('x'),
  ]);
  expect(Math.max(...rows.map(row => row.lane))).toBe(1);
});

test('a merge of a commit that is waited for draws into its lane', () => {
  const rows = layoutLanes([commit('m', 'x', 'y'), commit('x', 'a', 'y'), commit('y'), commit('a')]);
  expect(rows[1]?.leaving).toEqual([0, 1]);
});

test('two parents that are the same commit draw one line', () => {
  expect(layoutLanes([commit('m', 'a', 'a'), commit('a')])[0]?.leaving).toEqual([0]);
});
