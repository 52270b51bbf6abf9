// Chromium as people have it: with a profile on disk.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { chromiumLaunchOptions } from '../../scripts/chromium.mjs';
import { root } from '../../scripts/process.mjs';
import { serve } from '../../scripts/static_server.mjs';

/** A browser in which nothing is cached. Pages and workers have `gc()`. */
export async function openChromium() {
  const profile = mkdtempSync(join(tmpdir(), 'varve-bench-'));
  const options = chromiumLaunchOptions();
  const args = [...options.args, '--js-flags=--expose-gc'];
  const context = await chromium.launchPersistentContext(profile, { ...options, args, headless: true });
  const page = context.pages()[0] ?? (await context.newPage());
  const close = async () => {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  };
  return { page, version: context.browser()?.version() ?? '', close };
}

// Isolated from other origins, so that the clock has a resolution of 5 us instead of 100.
const ISOLATED = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

/**
 * The page that starts engines in workers and asks them. `bench` calls one of its operations (page.mjs), `inFreshPage` in a page where
 * nothing was loaded or compiled before.
 *
 * @typedef {(operation: string, ...args: unknown[]) => Promise<any>} Bench
 * @returns {Promise<{ bench: Bench, inFreshPage: Bench, version: string, close: () => Promise<void> }>}
 */
export async function openBenchPage() {
  const server = await serve({ directory: root, headers: ISOLATED });
  const { page, version, close } = await openChromium();
  const load = async page => {
    page.on('pageerror', error => process.stderr.write(`${error.stack ?? error.message}\n`));
    await page.goto(`${server.url}benches/web/page.html`);
    await page.waitForFunction(() => 'bench' in globalThis);
    return (operation, ...args) =>
      page.evaluate(([name, values]) => globalThis.bench[name](...values), [operation, args]);
  };
  return {
    bench: await load(page),
    inFreshPage: async (operation, ...args) => {
      const fresh = await page.context().newPage();
      const answer = await (await load(fresh))(operation, ...args);
      await fresh.close();
      return answer;
    },
    version,
    close: async () => {
      await close();
      await server.close();
    },
  };
}
