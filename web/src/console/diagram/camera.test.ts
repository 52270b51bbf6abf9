import { expect, test } from 'vitest';
import { fitted, showing, zoomed } from './camera.ts';

const VIEW = { width: 1000, height: 600 };

test('a diagram that fits is as large as it is, in the middle; a large one is made smaller', () => {
  expect(fitted({ width: 400, height: 200 }, VIEW)).toEqual({ x: 300, y: 200, scale: 1 });
  expect(fitted({ width: 1904, height: 400 }, VIEW)).toEqual({ x: 24, y: 200, scale: 0.5 });
  expect(fitted({ width: 9520, height: 400 }, VIEW, 0.5)).toEqual({ x: 24, y: 200, scale: 0.5 });
  expect(fitted({ width: 0, height: 0 }, VIEW).scale).toBe(1);
});

test('zooming keeps what is under the pointer, and ends somewhere', () => {
  const camera = zoomed({ x: 100, y: 50, scale: 1 }, { x: 300, y: 250 }, 0.5);
  expect(camera).toEqual({ x: 200, y: 150, scale: 0.5 });
  expect(zoomed(camera, { x: 0, y: 0 }, 1000).scale).toBe(2);
  expect(zoomed(camera, { x: 0, y: 0 }, 0.001).scale).toBe(0.1);
});

test('a table is brought into the view by the shortest way', () => {
  const camera = { x: 0, y: 0, scale: 1 };
  const at = (x: number, y: number) => showing(camera, { x, y, width: 200, height: 100 }, VIEW);
  expect(at(100, 100)).toEqual(camera);
  expect(at(900, 100)).toEqual({ x: -124, y: 0, scale: 1 });
  expect(at(-50, 700)).toEqual({ x: 74, y: -224, scale: 1 });
});
