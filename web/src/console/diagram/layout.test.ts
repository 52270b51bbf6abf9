import { expect, test } from 'vitest';
import { type Box, curve, type Line, layOut } from './layout.ts';

const box = (name: string, height = 100): Box => ({ name, width: 200, height });

function overlaps(boxes: readonly Box[], lines: readonly Line[]): string[] {
  const { places } = layOut(boxes, lines);
  const found: string[] = [];
  for (const [index, a] of boxes.entries()) {
    for (const b of boxes.slice(index + 1)) {
      const [p, q] = [places.get(a.name), places.get(b.name)];
      if (p === undefined || q === undefined) found.push(`${a.name} or ${b.name} has no place`);
      else if (p.x < q.x + b.width && q.x < p.x + a.width && p.y < q.y + b.height && q.y < p.y + a.height)
        found.push(`${a.name} lies over ${b.name}`);
    }
  }
  return found;
}

test('a table stands to the right of what it refers to, and next to what needs it first', () => {
  const boxes = ['lots', 'species', 'tests', 'staff'].map(name => box(name));
  const { places, width, height } = layOut(boxes, [
    { from: 'lots', to: 'species' },
    { from: 'tests', to: 'lots' },
    { from: 'tests', to: 'staff' },
  ]);
  const x = (name: string) => places.get(name)?.x;
  expect([x('species'), x('lots'), x('staff'), x('tests')]).toEqual([0, 288, 288, 576]);
  expect(width).toBe(776);
  expect(height).toBe(228);
});

test('tables stand in the order of the columns that refer to them', () => {
  const boxes = ['lots', 'collectors', 'sites', 'species'].map(name => box(name));
  const lines = ['species', 'sites', 'collectors'].map((to, index) => ({ from: 'lots', to, fromEnd: index / 10 }));
  const { places } = layOut(boxes, lines);
  expect(['species', 'sites', 'collectors'].map(name => places.get(name)?.y)).toEqual([0, 128, 256]);
});

test('no table lies over another, whatever refers to what', () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  for (let round = 0; round < 40; round += 1) {
    const boxes = Array.from({ length: 1 + random(60) }, (_, index) => box(`t${index}`, 40 + random(300)));
    const name = () => `t${random(boxes.length)}`;
    const lines = Array.from({ length: random(2 * boxes.length) }, () => ({ from: name(), to: name() }));
    expect(overlaps(boxes, lines)).toEqual([]);
  }
});

test('tables in a circle, and one that refers to itself, have their places', () => {
  const lines = [
    { from: 'a', to: 'b' },
    { from: 'b', to: 'a' },
    { from: 'c', to: 'c' },
  ];
  expect(overlaps([box('a'), box('b'), box('c')], lines)).toEqual([]);
});

test('many tables of one layer, and many alone, are about as wide as high', () => {
  const star = Array.from({ length: 100 }, (_, index) => box(`t${index}`));
  const lines = star.slice(1).map(({ name }) => ({ from: name, to: 't0' }));
  for (const { width, height } of [layOut(star, lines), layOut(star, [])]) {
    expect(width / height).toBeGreaterThan(0.4);
    expect(width / height).toBeLessThan(3);
  }
  expect(layOut([], [])).toMatchObject({ width: 0, height: 0 });
});

test('a line goes to the left, or around two that stand in one column', () => {
  expect(curve({ x: 300, y: 10, width: 200 }, { x: 0, y: 50, width: 200 })).toBe('M300 10C250 10 250 50 200 50');
  expect(curve({ x: 0, y: 10, width: 200 }, { x: 0, y: 90, width: 200 })).toBe('M200 10C244 10 244 90 200 90');
});
