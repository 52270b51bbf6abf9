// Links that open a database of another site: the person is asked before anything is requested from it.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, Page } from 'playwright/test';
import { serve } from '../scripts/static_server.mjs';
import { expect, sampleDirectory, test } from './fixtures.ts';

/** The sample on an origin that was never trusted, and what was asked of it. */
async function stranger() {
  const requests: string[] = [];
  const options = { directory: sampleDirectory, cors: true, onRequest: ({ url = '' }) => void requests.push(url) };
  return { ...(await serve(options)), requests };
}

function question(page: Page) {
  return page.getByRole('dialog', { name: /^Open a database from / });
}

async function linkedPage(context: BrowserContext, console: string, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${console}?open=${encodeURIComponent(url)}`);
  return page;
}

test('a link to another site asks first, and the answer is remembered', async ({ page, context, console: served }) => {
  const { url, requests, close } = await stranger();
  await page.goto(`${served.url}?open=${encodeURIComponent(url)}`);
  await expect(question(page)).toContainText(url);
  // The keyboard begins at the answer that requests nothing.
  await expect(question(page).getByRole('button', { name: 'Don’t open' })).toBeFocused();
  expect(requests).toEqual([]);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(question(page)).toBeHidden();
  await expect(page.getByRole('treeitem', { name: 'accessions' })).toBeVisible();
  expect(requests).not.toEqual([]);

  const other = await linkedPage(context, served.url, url);
  await expect(other.getByRole('treeitem', { name: 'accessions' })).toBeVisible();
  await expect(question(other)).toBeHidden();
  await close();
});

test('who says no requests nothing, hears how to open it after all, and is not asked again in the tab', async ({
  page,
  console: served,
}) => {
  const { url, requests, close } = await stranger();
  await page.goto(`${served.url}?open=${encodeURIComponent(url)}`);
  await expect(question(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alert')).toContainText(`Nothing was requested from ${new URL(url).origin}`);
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('Nothing was requested');
  await expect(question(page)).toBeHidden();
  expect(requests).toEqual([]);
  // An address that a person enters is leave enough.
  await page.getByLabel('URL of a database').fill(url);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('treeitem', { name: 'accessions' })).toBeVisible();
  await close();
});

test('an address of the page’s own site opens without a question', async ({ page, console: served }) => {
  await page.goto(`${served.url}?open=${encodeURIComponent(`${served.url}sample/seed_bank.zip`)}`);
  await expect(page.getByRole('treeitem', { name: 'accessions' })).toBeVisible();
  await expect(question(page)).toBeHidden();
});

test('a link to a site that redirects to another one requests nothing there', async ({ page, console: served }) => {
  const target = await stranger();
  const requests: string[] = [];
  const redirecting = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.writeHead(302, { Location: `${target.url}${request.url}`, 'Access-Control-Allow-Origin': '*' }).end();
  });
  await new Promise<void>(resolve => redirecting.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}/`;
  await page.goto(`${served.url}?open=${encodeURIComponent(url)}`);
  await question(page).getByRole('button', { name: /^Open/ }).click();
  await expect(page.getByRole('alert')).toContainText('redirects to another address');
  expect(requests).not.toEqual([]);
  expect(target.requests).toEqual([]);
  // An address that a person enters may redirect.
  await page.getByLabel('URL of a database').fill(url);
  await page.keyboard.press('Enter');
  await expect.poll(() => target.requests.length).toBeGreaterThan(0);
  redirecting.close();
  await target.close();
});
