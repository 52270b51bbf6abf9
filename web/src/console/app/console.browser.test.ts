import { beforeAll, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import '../ui/styles/console.css';
import { eventually } from '../testing/eventually.ts';
import { FakeDatabase } from '../testing/fake_database.ts';
import { commandById } from './commands.ts';
import { mountConsole } from './mount.tsx';
import { editor } from './query/editor_host.ts';

let host: HTMLElement;

function query(selector: string): HTMLElement | null {
  return host.querySelector<HTMLElement>(selector);
}

function runAll(script: string): void {
  editor.peek()?.replace(script);
  commandById('run-all')?.run();
}

function tabNames(): (string | null)[] {
  return Array.from(host.querySelectorAll('.run-tabs .tab'), tab => tab.textContent);
}

beforeAll(async () => {
  localStorage.clear();
  await page.viewport(1200, 800);
  host = document.createElement('div');
  host.id = 'app';
  document.body.append(host);
  mountConsole(host, async () => new FakeDatabase());
  await eventually(() => expect(editor.peek()).toBeDefined());
});

test('it opens with the tree of the current branch and its row counts', async () => {
  await eventually(() => {
    const lines = Array.from(host.querySelectorAll('[role="treeitem"]'), line => line.textContent);
    expect(lines).toContain('customers4,200');
    expect(lines).toContain('best_customersview');
  });
});

test('a script gives one tab per statement, and stops at the first error', async () => {
  runAll('SELECT * FROM customers; SELECT * FROM nowhere; SELECT 1; SELECT 1');
  await eventually(() => expect(query('[role="alert"]')?.textContent).toContain('1146'));
  expect(tabNames()).toEqual(['customers', 'nowhere', 'SELECT 1', 'SELECT 1']);
  expect(host.querySelectorAll('.run-tabs .run-state.skipped')).toHaveLength(2);
  expect(query('.failure-place mark')?.textContent).toBe('nowhere');
  expect(query('.editor-host')?.shadowRoot?.querySelector('.cm-error')?.textContent).toBe('nowhere');
});

test('a result shows its rows and what it cost', async () => {
  runAll('SELECT * FROM customers');
  await eventually(() =>
    expect(query('.run-facts')?.textContent).toMatch(/4,200 rows.*first row.*total.*read.* in .*page/),
  );
  await eventually(() => expect(query('.grid [role="gridcell"]')).not.toBeNull());
  expect(query('.grid-column-type')?.textContent).toBe('int');
});

test('a running statement can be cancelled, and the next one runs', async () => {
  runAll('SELECT sleep(1)');
  await eventually(() => expect(query('.run')?.textContent).toBe('Cancel'));
  commandById('cancel')?.run();
  await eventually(() => expect(query('.run')?.textContent).toBe('Run'));
  await eventually(() => expect(query('.results')?.textContent).toMatch(/cancelled/i));
  runAll('SELECT 1');
  await eventually(() => expect(query('.run-facts')?.textContent).toContain('1 row'));
});

test('a statement without rows says how many it changed', async () => {
  runAll("UPDATE customers SET name = 'x'");
  await eventually(() => expect(query('.result-body')?.textContent).toContain('3 rows affected'));
});

test('a plan is a tree', async () => {
  editor.peek()?.replace('SELECT * FROM customers');
  commandById('explain')?.run();
  await eventually(() => expect(host.querySelectorAll('.plan-node').length).toBeGreaterThan(4));
});

test('the commits come with their graph, and a commit with its tables', async () => {
  commandById('view-log')?.run();
  await eventually(() => expect(host.querySelectorAll('.log-row').length).toBeGreaterThan(10));
  await eventually(() => expect(query('.changes')?.textContent).toContain('ordersschema'));
  commandById('view-query')?.run();
});

test('folding the side panel keeps the editor', async () => {
  const before = editor.peek();
  commandById('side')?.run();
  await eventually(() => expect(query('.sidebar')).toBeNull());
  commandById('side')?.run();
  await eventually(() => expect(query('.sidebar')).not.toBeNull());
  expect(editor.peek()).toBe(before);
});

test('every control that a screen reader meets has a name', () => {
  const nameless = Array.from(host.querySelectorAll('button, input, [role="separator"]')).filter(control => {
    const text = control.textContent?.trim() ?? '';
    return text === '' && !control.hasAttribute('aria-label') && control.closest('[aria-hidden="true"]') === null;
  });
  expect(nameless.map(control => control.outerHTML)).toEqual([]);
});
