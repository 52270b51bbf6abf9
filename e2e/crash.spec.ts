// The browser is killed while it writes, at random moments, again and again: every commit that was acknowledged is there
// afterwards, and nothing of one that was not in part; with relaxed durability, those up to some point. The long form is 30 kills:
// `VARVE_KILLS=30 npx playwright test e2e/crash.spec.ts` (VARVE_SEED gives other moments).
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright/test';
import { chromiumLaunchOptions } from '../scripts/chromium.mjs';
import { serve } from '../scripts/static_server.mjs';
import type * as Varve from '../web/src/lib/index.ts';
import { expect, removeProfile, root, test } from './fixtures.ts';

const PACKAGE = '/package/lib/index.js';
const KILLS = Number(process.env.VARVE_KILLS ?? 5);
/** The seed of the moments; printed with a failure. */
const SEED = Number(process.env.VARVE_SEED ?? 4711);
/** Rows of transactions, in turns: a part of them would be half a commit. Many are in their tree at once. */
const ROWS = [3, 3, 3, 3, 300];
/** Commits of which the page may not have told us. Relaxed ones follow each other without a pause, so that they are made together. */
const UNTOLD_MAX = { full: 1, relaxed: 20 };

function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Running {
  readonly process: ChildProcess;
  readonly browser: Browser;
  readonly page: Page;
}

/** A browser whose process is ours, so that all of it can be killed at once. */
async function start(profile: string, url: string): Promise<Running> {
  const { executablePath = chromium.executablePath(), args } = chromiumLaunchOptions();
  const flags = ['--headless=new', '--remote-debugging-port=0', `--user-data-dir=${profile}`, '--no-first-run'];
  const process = spawn(executablePath, [...args, ...flags, 'about:blank'], {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const endpoint = await new Promise<string>((resolve, reject) => {
    let said = '';
    process.stderr.on('data', data => {
      said += data;
      const found = /DevTools listening on (ws:\S+)/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
    process.once('exit', () => reject(new Error(`the browser ended: ${said}`)));
  });
  const browser = await chromium.connectOverCDP(endpoint);
  const [context] = browser.contexts();
  if (context === undefined) throw new Error('the browser has no profile');
  // Its first page may not be there yet.
  const page = context.pages()[0] ?? (await context.newPage());
  await page.goto(url);
  return { process, browser, page };
}

async function kill({ process, browser }: Running): Promise<void> {
  const ended = new Promise(resolve => process.once('exit', resolve));
  // The group of the process that this test started: the browser, its renderers, its storage service.
  globalThis.process.kill(-(process.pid as number), 'SIGKILL');
  await ended;
  await browser.close().catch(() => {});
}

async function killAgainAndAgain(durability: 'full' | 'relaxed'): Promise<void> {
  test.setTimeout(120_000 + KILLS * 30_000);
  const profile = mkdtempSync(join(tmpdir(), 'varve-crash-'));
  const server = await serve({
    directory: join(root, 'dist'),
    also: { '/blank.html': '<!doctype html><title>crash</title>' },
  });
  const next = random(SEED);
  let acknowledged = 0;
  let found = 0;
  let running: Running | null = null;
  try {
    for (let round = 0; round <= KILLS; round++) {
      running = await start(profile, `${server.url}blank.html`);
      const { page } = running;
      const there = await page.evaluate(
        async ({ path, isFirst }) => {
          const { open }: typeof Varve = await import(path);
          const database = await open({ opfs: 'load', create: true });
          if (isFirst)
            await database.query('CREATE TABLE t (batch INT, part INT, filler TEXT, PRIMARY KEY (batch, part))');
          const { rows } = await database.query('SELECT batch, COUNT(*) AS n FROM t GROUP BY batch ORDER BY batch');
          await database.close();
          return rows.map(row => [Number(row.batch), Number(row.n)] as const);
        },
        { path: PACKAGE, isFirst: round === 0 },
      );
      const context = `${durability}, round ${round}, seed ${SEED}`;
      expect(
        there.map(([batch]) => batch),
        context,
      ).toEqual(there.map((_, index) => index));
      expect(
        there.map(([, rows]) => rows),
        context,
      ).toEqual(there.map((_, batch) => ROWS[batch % ROWS.length]));
      if (durability === 'full') expect(there.length, context).toBeGreaterThanOrEqual(acknowledged);
      // At most the one that was under way, and those of which the page had not told us yet.
      expect(there.length, context).toBeLessThanOrEqual(acknowledged + UNTOLD_MAX[durability]);
      found = there.length;
      acknowledged = found;
      if (round === KILLS) {
        await kill(running);
        break;
      }
      let firstHeard: () => void = () => {};
      const hasBegun = new Promise<void>(resolve => {
        firstHeard = resolve;
      });
      await page.exposeFunction('acknowledge', (batch: number) => {
        acknowledged = batch + 1;
        firstHeard();
      });
      const writing = page.evaluate(
        async ({ path, durability, untold, from, rowsInTurns }) => {
          const { open }: typeof Varve = await import(path);
          const { acknowledge } = globalThis as unknown as { acknowledge(batch: number): Promise<void> };
          const database = await open({ opfs: 'load' }, { durability });
          for (let batch = from; ; batch++) {
            const rows = rowsInTurns[batch % rowsInTurns.length] as number;
            const marks = Array(rows).fill('(?, ?, ?)').join(', ');
            // Long values lie in chunks of their own; rows without such leave redo records when they follow each other.
            const filler = 'x'.repeat((batch * 977) % (batch % 8 === 0 ? 5000 : 200));
            const values = Array.from({ length: rows }, (_, row) => [batch, row, filler]).flat();
            await database.query(`INSERT INTO t VALUES ${marks}`, values);
            const told = acknowledge(batch);
            if (batch % untold === untold - 1) await told;
          }
        },
        { path: PACKAGE, durability, untold: UNTOLD_MAX[durability], from: found, rowsInTurns: ROWS },
      );
      const died = writing.then(
        () => '',
        (error: unknown) => String(error),
      );
      const early = await Promise.race([hasBegun, died]);
      expect(early, context).toBeUndefined();
      await new Promise(resolve => setTimeout(resolve, next() * 400));
      await kill(running);
      await died;
    }
    console.log(`crash: ${durability}, ${KILLS} kills, ${found} commits, seed ${SEED}`);
    expect(found).toBeGreaterThan(KILLS);
  } finally {
    if (running !== null && running.process.exitCode === null && running.process.signalCode === null)
      await kill(running);
    await server.close();
    removeProfile(profile);
  }
}

test('a browser that is killed while it writes loses nothing that was acknowledged', () => killAgainAndAgain('full'));

test('with relaxed durability it loses some of the last ones at most', () => killAgainAndAgain('relaxed'));
