import { expect, test } from 'vitest';
import type { Column, Value } from '../../lib/index.ts';
import { column } from '../testing/columns.ts';
import { batchOf } from '../testing/fake_batch.ts';
import { type ChartChoice, likelyChoice } from './choice.ts';
import { type ChartRows, chartColumns } from './columns.ts';
import { chartData, chartSteps } from './data.ts';
import { drawn } from './picture.ts';
import { numberScale, timeScale } from './scale.ts';

const text = (name: string) => column({ name });
const number = (name: string, parts: Partial<Column> = {}) => column({ name, type: 'int', kind: 'int', ...parts });
const date = (name: string) => column({ name, type: 'date', kind: 'date' });

function rowsOf(columns: readonly Column[], values: readonly (readonly Value[])[]): ChartRows {
  const batch = batchOf(
    columns,
    values.map(row => [...row]),
  );
  return {
    columns,
    rowCount: values.length,
    locate: (row, at) => (row < values.length ? { values: batch.column(at), index: row } : undefined),
  };
}

const likely = (columns: readonly Column[], values: readonly (readonly Value[])[]) =>
  likelyChoice(chartColumns(rowsOf(columns, values)));

test('the types of the columns say which chart it is', () => {
  const day = (n: number) => `2024-01-0${n}`;
  expect(
    likely(
      [text('family'), number('n')],
      [
        ['a', 1],
        ['b', 2],
      ],
    ),
  ).toEqual({ kind: 'bar', x: 0, y: 1, colour: undefined });
  expect(
    likely(
      [number('n'), date('day')],
      [
        [1, day(1)],
        [2, day(2)],
        [3, day(3)],
      ],
    ),
  ).toMatchObject({ kind: 'line', x: 1, y: 0 });
  // Two lines, of the same days.
  const two = [1, 2, 3].flatMap(n => [
    [day(n), 'a', n],
    [day(n), 'b', n],
  ]);
  expect(likely([date('day'), text('vault'), number('n')], two)).toEqual({ kind: 'line', x: 0, y: 2, colour: 1 });
  // Rows of names, with the last day of each.
  expect(
    likely(
      [text('name'), number('lots'), date('last')],
      [
        ['a', 9, day(1)],
        ['b', 8, day(1)],
        ['c', 7, day(2)],
      ],
    ),
  ).toMatchObject({ kind: 'bar', x: 0, y: 1 });
  // What happened on days is not how something went on.
  expect(
    likely(
      [date('day'), number('n')],
      [
        [day(1), 1],
        [day(1), 2],
        [day(2), 3],
      ],
    ),
  ).toMatchObject({ kind: 'scatter' });
  expect(
    likely(
      [number('mass'), number('seeds')],
      [
        [1, 2],
        [2, 3],
      ],
    ),
  ).toMatchObject({ kind: 'scatter', x: 0, y: 1 });
  // Keys and years are not added up; a month may be a text.
  expect(
    likely(
      [number('id', { primaryKey: true }), number('year'), number('n')],
      [
        [1, 2020, 5],
        [2, 2021, 6],
        [3, 2022, 6],
      ],
    ),
  ).toMatchObject({ kind: 'line', x: 1, y: 2 });
  expect(
    likely(
      [text('month'), number('n')],
      [
        ['2024-01', 1],
        ['2024-02', 2],
        ['2024-03', 2],
      ],
    ),
  ).toMatchObject({ kind: 'line', x: 0, y: 1 });
  expect(likely([text('name')], [['a'], ['a']])).toEqual({ kind: 'bar', x: 0, y: undefined, colour: undefined });
  expect(likely([column({ kind: 'json', type: 'json' })], [['{}']])).toBeUndefined();
});

const bars: ChartChoice = { kind: 'bar', x: 0, y: 2, colour: 1 };
const sales = rowsOf(
  [text('shop'), text('kind'), number('sold')],
  [
    ['Ulm', 'a', 2],
    ['Bonn', 'a', 5],
    ['Ulm', 'b', 3],
    ['Ulm', 'a', 4],
    [null, 'b', -1],
    ['Bonn', 'b', null],
  ],
);

test('bars add up rows of the same name and colour, and say so', () => {
  const data = chartData(sales, chartColumns(sales), bars);
  expect(data.categories).toEqual(['Ulm', 'Bonn', 'NULL']);
  expect(data.points.map(({ x, y, group }) => [x, y, group])).toEqual([
    [0, 6, 0],
    [1, 5, 0],
    [0, 3, 1],
    [2, -1, 1],
  ]);
  expect(data).toMatchObject({ yName: 'sum of sold', groups: ['a', 'b'], notes: ['without 1 row that has no value'] });
  const counted = chartData(sales, chartColumns(sales), { ...bars, y: undefined, colour: undefined });
  expect(counted.points.map(({ y }) => y)).toEqual([3, 2, 1]);
  expect(counted.yName).toBe('rows');
});

test('bars of one name lie behind one another, below zero to the other side', () => {
  const { marks } = drawn(chartData(sales, chartColumns(sales), bars), { width: 300, height: 100 });
  const [ulmA, ulmB, , none] = marks;
  expect(ulmB?.x).toBeCloseTo((ulmA?.x ?? 0) + (ulmA?.width ?? 0));
  expect((none?.x ?? 0) + (none?.width ?? 0)).toBeCloseTo(ulmA?.x ?? 0);
  expect(ulmA).toMatchObject({ name: 'Ulm, a', value: '6' });
});

test('kinds beyond those that have colours share one', () => {
  const many = rowsOf(
    [text('kind'), number('n')],
    Array.from({ length: 20 }, (_, n) => [`k${n % 9}`, 1]),
  );
  const data = chartData(many, chartColumns(many), { kind: 'bar', x: 0, y: 1, colour: 0 });
  expect(data.groups).toEqual(['k0', 'k1', 'k2', 'k3', 'k4', 'k5', 'others']);
  expect(data.points.filter(({ group }) => group === 6)).toHaveLength(3);
});

test('what is added up is added up of all rows, and points are taken from all of them', () => {
  const values = Array.from({ length: 120_000 }, (_, row) => [`k${row % 2}`, row]);
  const rows = rowsOf([text('kind'), number('n')], values);
  const added = chartData(rows, chartColumns(rows), { kind: 'bar', x: 0, y: undefined, colour: undefined });
  expect(added.points.map(({ y }) => y)).toEqual([60_000, 60_000]);
  expect(added.notes).toEqual([]);
  const points = chartData(rows, chartColumns(rows), { kind: 'scatter', x: 1, y: 1, colour: undefined });
  expect(points.points).toHaveLength(2000);
  expect(points.points.at(-1)?.x).toBeGreaterThan(119_900);
  expect(points.notes).toEqual(['one in 60 points']);
  // Also of values that come again: every tenth row would have but one of them.
  const again = new Set(points.points.map(({ x }) => x % 10));
  expect(again.size).toBe(10);
});

test('axes have ticks at round numbers and at days, months or years', () => {
  const texts = ({ ticks }: { ticks: readonly { readonly text: string }[] }) => ticks.map(tick => tick.text);
  expect(texts(numberScale(0, 37_000, 5))).toEqual(['0', '10k', '20k', '30k', '40k']);
  expect(texts(numberScale(-0.3, 0.5, 4))).toEqual(['-0.4', '-0.2', '0', '0.2', '0.4', '0.6']);
  expect(numberScale(5, 5, 4).ticks.length).toBeGreaterThan(1);
  const at = (iso: string) => Date.parse(iso);
  expect(texts(timeScale(at('2024-01-30'), at('2024-06-02'), 5))).toEqual([
    '2024-02',
    '2024-03',
    '2024-04',
    '2024-05',
    '2024-06',
  ]);
  expect(texts(timeScale(at('1998-05-01'), at('2025-11-01'), 6))).toEqual([
    '2000',
    '2005',
    '2010',
    '2015',
    '2020',
    '2025',
  ]);
  expect(texts(timeScale(at('2024-01-01T22:30Z'), at('2024-01-02T02:10Z'), 4))).toEqual([
    '23:00',
    '2024-01-02',
    '01:00',
    '02:00',
  ]);
});

test('many rows are read in steps of a few, so that a page can do something else between them', () => {
  const columns = [number('n'), number('of'), text('kind')];
  const values = Array.from({ length: 20_000 }, (_, row) => [row, row % 7, `k${row % 3}`]);
  const rows = rowsOf(columns, values);
  const choice: ChartChoice = { kind: 'scatter', x: 0, y: 1, colour: 2 };
  const steps = chartSteps(rows, chartColumns(rows), choice);
  let count = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) count++;
  expect(count).toBeGreaterThan(2 * Math.floor(20_000 / 1000));
  expect(step.value).toEqual(chartData(rows, chartColumns(rows), choice));
});

test('the ticks of whole values are whole', () => {
  const texts = (least: number, most: number, count: number) =>
    numberScale(least, most, count, 'whole').ticks.map(({ text }) => text);
  expect(texts(0, 1, 5)).toEqual(['0', '1']);
  expect(texts(0, 2, 8)).toEqual(['0', '1', '2']);
  expect(texts(0, 9, 4)).toEqual(['0', '5', '10']);
  expect(texts(0, 100, 4)).toEqual(['0', '25', '50', '75', '100']);
  const counted = [
    ['a', 1],
    ['b', 2],
  ];
  const columns = [text('family'), number('n')];
  const rows = rowsOf(columns, counted);
  for (const kind of ['bar', 'line'] as const) {
    const data = chartData(rows, chartColumns(rows), { kind, x: 0, y: 1, colour: undefined });
    const { labels } = drawn(data, { width: 900, height: 600 });
    expect(labels.filter(({ text }) => /^[\d.]+$/.test(text) && text.includes('.'))).toEqual([]);
  }
});
