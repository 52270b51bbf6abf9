// What a person does in the console again and again. Each step ends when the page is ready for the next.
import type { Locator, Page } from 'playwright/test';
import { expect } from './fixtures.ts';

export type View = 'Query' | 'Changes' | 'Commits' | 'Compare';

export const schemaTree = (page: Page): Locator => page.getByRole('tree', { name: 'Schema' });
export const results = (page: Page): Locator => page.getByLabel('Results', { exact: true });
/** What the page says of something that was done. */
export const said = (page: Page, text: string | RegExp): Locator => page.getByRole('status').filter({ hasText: text });

export async function openSample(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await expect(schemaTree(page).getByText('accessions', { exact: true })).toBeVisible();
}

/** A database in memory with nothing in it. */
export async function openEmpty(page: Page, url: string, name: string): Promise<void> {
  await page.goto(`${url}?open=nothing`);
  await page.getByRole('button', { name: /^New database/ }).click();
  const dialog = page.getByRole('dialog', { name: 'New database' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByText('In memory').click();
  await dialog.getByRole('button', { name: 'Create database' }).click();
  await expect(schemaTree(page).getByText('No tables')).toBeVisible();
}

/** An empty database in the browser's own storage. */
export async function openKept(page: Page, url: string, name: string): Promise<void> {
  await page.goto(`${url}?open=nothing`);
  await page.getByRole('button', { name: /^New database/ }).click();
  const dialog = page.getByRole('dialog', { name: 'New database' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Create database' }).click();
  await expect(schemaTree(page).getByText('No tables')).toBeVisible();
}

export async function go(page: Page, view: View): Promise<void> {
  const button = page.getByRole('navigation', { name: 'View' }).getByRole('button', { name: view });
  await button.click();
  await expect(button).toHaveAttribute('aria-current', 'page');
}

/** No statement runs: another one is taken. */
async function expectIdle(page: Page): Promise<void> {
  const toolbar = page.getByRole('toolbar', { name: 'Run' });
  await expect(toolbar.getByRole('button', { name: 'Run', exact: true })).toBeVisible();
}

/** Writes a script and runs the statement that the cursor is in, or all of it. What comes of it is for the story to see. */
export async function enter(page: Page, script: string, scope: 'one' | 'all' = 'one'): Promise<void> {
  await expectIdle(page);
  const editor = page.getByLabel('SQL editor');
  await editor.fill(script);
  await editor.press(scope === 'all' ? 'Control+Shift+Enter' : 'Control+Enter');
}

/** Runs a script to its end, which must not fail. */
export async function run(page: Page, script: string): Promise<void> {
  await answerOf(page, `${script};\n`, "'done'");
}

/** The value of an expression. */
export function ask(page: Page, expression: string): Promise<string> {
  return answerOf(page, '', expression);
}

async function answerOf(page: Page, script: string, expression: string): Promise<string> {
  await go(page, 'Query');
  // The answer tells that this script, and no earlier one, is done.
  const mark = Math.random().toString(36).slice(2);
  await enter(page, `${script}SELECT CONCAT((${expression}), ' ${mark}')`, 'all');
  const cell = results(page).getByRole('gridcell', { name: mark });
  await expect(cell).toBeVisible();
  await expectIdle(page);
  return ((await cell.textContent()) ?? '').replace(` ${mark}`, '');
}

/** An entry of a menu at the top of the page. */
export async function choose(page: Page, menu: RegExp, entry: string): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: menu }).click();
  await page.getByRole('menuitem', { name: entry }).click();
}

/** An entry of the menu behind a button. */
export async function more(page: Page, label: string, entry: string): Promise<void> {
  await page.getByRole('button', { name: label }).click();
  await page.getByRole('menuitem', { name: entry }).click();
}
