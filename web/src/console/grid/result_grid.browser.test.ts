import { afterEach, expect, test, vi } from 'vitest';
import '../ui/styles/console.css';
import { column } from '../testing/columns.ts';
import { eventually } from '../testing/eventually.ts';
import { batchOf, lazyBatch } from '../testing/fake_batch.ts';
import { ResultPages } from './pages.ts';
import { ResultGrid } from './result_grid.ts';

const columns = [column({ name: 'id', type: 'int', kind: 'int', primaryKey: true }), column({ name: 'note' })];
const events = { onActive: vi.fn(), onOpen: vi.fn(), onSelection: vi.fn(), onMenu: vi.fn() };
const grids: ResultGrid[] = [];

/** A grid in a box of 600 x 400 pixels. */
function show(pages: ResultPages): ResultGrid {
  const box = document.createElement('div');
  box.style.cssText = 'position: fixed; inset: 0 auto auto 0; width: 600px; height: 400px';
  document.body.append(box);
  const grid = new ResultGrid(pages, 'Result', [], events);
  box.append(grid.element);
  grids.push(grid);
  return grid;
}

afterEach(() => {
  for (const grid of grids.splice(0)) grid.destroy();
  document.body.replaceChildren();
});

function millionRows(): ResultPages {
  const pages = new ResultPages(columns);
  for (let start = 0; start < 1_000_000; start += 10_000) {
    pages.push(lazyBatch(columns, 10_000, (row, index) => (index === 0 ? start + row + 1 : `row ${start + row + 1}`)));
  }
  return pages;
}

function shownRows(grid: ResultGrid): number[] {
  const rows = grid.element.querySelectorAll<HTMLElement>('.grid-row:not([hidden])');
  return Array.from(rows, row => Number(row.getAttribute('aria-rowindex')) - 1).sort((a, b) => a - b);
}

function cells(grid: ResultGrid): HTMLElement[] {
  return Array.from(grid.element.querySelectorAll<HTMLElement>('[role="gridcell"]'));
}

function press(grid: ResultGrid, key: string, modifiers: KeyboardEventInit = {}): void {
  grid.element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...modifiers }));
}

test('a million rows are a few dozen elements, and the last one can be reached', async () => {
  const grid = show(millionRows());
  await eventually(() => expect(shownRows(grid)[0]).toBe(1));
  expect(grid.element.getAttribute('aria-rowcount')).toBe('1000001');
  press(grid, 'End', { ctrlKey: true });
  await eventually(() => expect(shownRows(grid).at(-1)).toBe(1_000_000));
  expect(grid.element.querySelectorAll('.grid-row').length).toBeLessThan(80);
  const active = document.getElementById(grid.element.getAttribute('aria-activedescendant') ?? '');
  expect(active?.textContent).toBe('row 1000000');
  const box = active?.getBoundingClientRect();
  expect(box?.bottom).toBeLessThanOrEqual(401);
});

test('no cell is called as another one is, wherever the grid was scrolled', async () => {
  const wide = Array.from({ length: 60 }, (_, index) => column({ name: `column ${index}` }));
  const pages = new ResultPages(wide);
  pages.push(
    batchOf(
      wide,
      Array.from({ length: 400 }, (_, row) => wide.map(({ name }) => `${name} of ${row}`)),
    ),
  );
  const grid = show(pages);
  await eventually(() => expect(shownRows(grid)[0]).toBe(1));
  for (const [left, top] of [
    [3000, 0],
    [1000, 5000],
    [0, 0],
    [2000, 200],
  ] as const) {
    grid.element.scrollTo(left, top);
    await eventually(() => expect(shownRows(grid)).toContain(Math.floor(top / 24) + 1));
    const ids = Array.from(grid.element.querySelectorAll('[id]'), ({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  }
});

test('dragging the scroll bar shows the rows of that place', async () => {
  const grid = show(millionRows());
  await eventually(() => expect(shownRows(grid)[0]).toBe(1));
  grid.element.scrollTop = (grid.element.scrollHeight - grid.element.clientHeight) / 2;
  await eventually(() => expect(shownRows(grid)[0]).toBeGreaterThan(499_900));
  expect(shownRows(grid).at(-1)).toBeLessThan(500_100);
});

test('rows that come later are drawn without moving those on the screen', async () => {
  const pages = new ResultPages(columns);
  pages.push(batchOf(columns, [[1, 'one']]));
  const grid = show(pages);
  await eventually(() => expect(shownRows(grid)).toEqual([1]));
  const first = cells(grid)[0];
  pages.push(batchOf(columns, [[2, 'two']]));
  grid.rowsChanged();
  await eventually(() => expect(shownRows(grid)).toEqual([1, 2]));
  expect(cells(grid)[0]).toBe(first);
});

test('a column is as wide as rows far below need, though all rows are there from the beginning', async () => {
  const pages = new ResultPages(columns);
  pages.push(lazyBatch(columns, 3000, (row, index) => (index === 0 ? row : 'x'.repeat(4 + row / 200))));
  const grid = show(pages);
  const heads = grid.element.getElementsByClassName('grid-column');
  const head = () => heads[heads.length - 1]?.getBoundingClientRect().width ?? 0;
  const first = head();
  await eventually(() => expect(head()).toBeGreaterThan(first + 30));
});

test('values and names are never markup', async () => {
  const markup = '<img src=x onerror="document.title=1"><b>bold</b>';
  const named = [column({ name: '<i>name</i>', type: '<u>type</u>' })];
  const pages = new ResultPages(named);
  pages.push(batchOf(named, [[markup]]));
  const grid = show(pages);
  await eventually(() => expect(cells(grid)[0]?.textContent).toBe(markup));
  expect(grid.element.querySelectorAll('img, b, i, u')).toHaveLength(0);
  expect(grid.element.textContent).toContain('<i>name</i>');
});

test('NULL looks like nothing else', async () => {
  const pages = new ResultPages(columns);
  pages.push(
    batchOf(columns, [
      [1, null],
      [2, 'NULL'],
      [3, ''],
    ]),
  );
  const grid = show(pages);
  await eventually(() => expect(shownRows(grid)).toEqual([1, 2, 3]));
  const notes = cells(grid).filter(cell => cell.getAttribute('aria-colindex') === '3');
  expect(notes.map(cell => [cell.textContent, cell.classList.contains('null')])).toEqual([
    ['NULL', true],
    ['NULL', false],
    ['', false],
  ]);
});

test('keys move the active cell, Shift selects, Enter opens', async () => {
  const grid = show(millionRows());
  await eventually(() => expect(shownRows(grid)[0]).toBe(1));
  press(grid, 'ArrowDown');
  press(grid, 'ArrowDown');
  press(grid, 'ArrowRight');
  press(grid, 'ArrowDown', { shiftKey: true });
  expect(grid.selection).toEqual({ anchor: { row: 1, column: 1 }, focus: { row: 2, column: 1 } });
  await eventually(() => expect(grid.element.querySelectorAll('[aria-selected="true"]')).toHaveLength(2));
  press(grid, 'Enter');
  expect(events.onOpen).toHaveBeenLastCalledWith({ row: 2, column: 1 });
  press(grid, 'a', { ctrlKey: true });
  expect(grid.selection?.anchor).toEqual({ row: 999_999, column: 1 });
});

test('a result of two hundred columns draws those on the screen', async () => {
  const many = Array.from({ length: 200 }, (_, index) => column({ name: `c${index}` }));
  const pages = new ResultPages(many);
  pages.push(lazyBatch(many, 50, (row, index) => `${row}:${index}`));
  const grid = show(pages);
  await eventually(() => expect(shownRows(grid)[0]).toBe(1));
  expect(cells(grid).length).toBeLessThan(50 * 20);
  press(grid, 'End');
  await eventually(() => expect(cells(grid).some(cell => cell.textContent === '0:199')).toBe(true));
});

test('what opens beside the grid does not cover the cell in which the person is', async () => {
  const many = Array.from({ length: 8 }, (_, index) => column({ name: `column ${index}` }));
  const pages = new ResultPages(many);
  pages.push(lazyBatch(many, 3, (row, index) => `value ${row}:${index}`));
  const grid = show(pages);
  await eventually(() => expect(shownRows(grid)[0]).toBe(1));
  press(grid, 'ArrowDown');
  for (let column = 0; column < 4; column += 1) press(grid, 'ArrowRight');
  const active = () => document.getElementById(grid.element.getAttribute('aria-activedescendant') ?? '');
  const right = () => active()?.getBoundingClientRect().right ?? 0;
  await eventually(() => expect(active()?.textContent).toBe('value 0:4'));
  expect(right()).toBeGreaterThan(300);
  (grid.element.parentElement as HTMLElement).style.width = '300px';
  await eventually(() => expect(right()).toBeLessThanOrEqual(300));
});

test('a key that stands among the others stays once it would leave', async () => {
  const [id = column({})] = columns;
  const others = Array.from({ length: 40 }, (_, index) => column({ name: `c${index}` }));
  const wide = [...others.slice(0, 2), id, ...others.slice(2)];
  const pages = new ResultPages(wide);
  pages.push(lazyBatch(wide, 50, (row, index) => (index === 2 ? 1000 + row : `${row}:${index}`)));
  const grid = show(pages);
  await eventually(() => expect(shownRows(grid)[0]).toBe(1));
  const at = (row: number, column: number) =>
    grid.element.querySelector(`[aria-rowindex="${row + 2}"] [aria-colindex="${column + 2}"]`)?.getBoundingClientRect();
  const edge = grid.element.querySelector('.grid-corner')?.getBoundingClientRect().right ?? 0;
  expect(at(0, 2)?.left).toBeCloseTo(at(0, 1)?.right ?? 0, 0);
  press(grid, 'ArrowDown');
  press(grid, 'End');
  await eventually(() => expect(at(0, 2)?.left).toBeCloseTo(edge, 0));
  // A press on it selects it and moves nothing.
  const cell = at(0, 2) as DOMRect;
  const [clientX, clientY] = [cell.left + 5, cell.top + 5];
  const pressed = new PointerEvent('pointerdown', {
    bubbles: true,
    pointerId: 1,
    pointerType: 'touch',
    clientX,
    clientY,
  });
  document.elementFromPoint(clientX, clientY)?.dispatchEvent(pressed);
  expect(grid.selection?.focus).toEqual({ row: 0, column: 2 });
  expect(at(0, 2)?.left).toBeCloseTo(edge, 0);
});

test('the columns of the key stay in sight beside what is scrolled, and never cover where the keys lead', async () => {
  const [id = column({})] = columns;
  const wide = [id, ...Array.from({ length: 60 }, (_, index) => column({ name: `c${index}` }))];
  const pages = new ResultPages(wide);
  pages.push(lazyBatch(wide, 200, (row, index) => (index === 0 ? 1000 + row : `${row}:${index - 1}`)));
  const grid = show(pages);
  await eventually(() => expect(shownRows(grid)[0]).toBe(1));
  const seenAt = (x: number, y: number) => document.elementFromPoint(x, y)?.closest('.grid-cell, .grid-column');
  press(grid, 'ArrowDown');
  press(grid, 'End');
  const active = () => document.getElementById(grid.element.getAttribute('aria-activedescendant') ?? '');
  await eventually(() => expect(active()?.textContent).toBe('0:59'));
  const left = grid.element.querySelector('.grid-corner')?.getBoundingClientRect().right ?? 0;
  await eventually(() => expect(seenAt(left + 10, 50)?.textContent).toBe('1000'));
  expect(seenAt(left + 10, 10)?.textContent).toBe('idint');
  expect(grid.element.querySelector('[aria-rowindex="2"] [role="rowheader"]')?.getAttribute('aria-label')).toBe(
    '1, id 1000',
  );
  // Back by the arrow, cell by cell: each is whole, beside the key.
  const edge = (seenAt(left + 10, 50) as Element).getBoundingClientRect().right;
  for (let column = 58; column >= 0; column -= 1) press(grid, 'ArrowLeft');
  await eventually(() => expect(active()?.textContent).toBe('0:0'));
  expect(active()?.getBoundingClientRect().left).toBeGreaterThanOrEqual(edge - 1);
  press(grid, 'End');
  await eventually(() => expect(active()?.textContent).toBe('0:59'));
  // A press on the key selects it and moves nothing; Home shows the beginning of the row.
  const { scrollLeft } = grid.element;
  const place = { clientX: left + 10, clientY: 75, bubbles: true, pointerId: 1, pointerType: 'touch' };
  seenAt(left + 10, 75)?.dispatchEvent(new PointerEvent('pointerdown', { ...place, button: 0 }));
  expect(grid.selection?.focus).toEqual({ row: 1, column: 0 });
  expect(grid.element.scrollLeft).toBe(scrollLeft);
  press(grid, 'ArrowRight');
  press(grid, 'Home');
  expect(grid.element.scrollLeft).toBe(0);
});
