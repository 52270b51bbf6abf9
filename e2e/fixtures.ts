// What every story stands on: a browser with a profile on disk, the built console, the built package, the fixtures.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BrowserContext, test as base, chromium, expect, type Page } from 'playwright/test';
import { chromiumLaunchOptions } from '../scripts/chromium.mjs';
import { type RunningServer, serve } from '../scripts/static_server.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** The sample as a database directory. */
export const sampleDirectory = join(root, 'web/public/sample/seed_bank');
export const sampleZip = join(root, 'web/public/sample/seed_bank.zip');

/** The browser's processes may write for a moment after it has ended. */
export function removeProfile(path: string): void {
  rmSync(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

interface Fixtures {
  /** Whether pages may change folders of the disk that were picked, without a question, which a test cannot answer. */
  readonly allowsFolders: boolean;
  readonly context: BrowserContext;
  readonly page: Page;
  /** The built console, and an empty `blank.html` beside it. */
  readonly console: RunningServer;
  /** A page at the root of the built package, ready to `import('/package/lib/index.js')`. */
  readonly library: Page;
  /** The sample on another origin that answers ranges. */
  readonly remote: RunningServer;
}

/**
 * How many times slower pages run, to find stories that look before the page is there:
 * `VARVE_SLOWDOWN=5 npx playwright test --timeout=240000`. Workers keep their speed.
 */
const SLOWDOWN = Number(process.env.VARVE_SLOWDOWN ?? 1);

/** The console reads from an address of another origin without a question: it was trusted before. */
async function trust(context: BrowserContext, url: string): Promise<void> {
  await context.addInitScript(origin => {
    try {
      localStorage.setItem('varve.origins', JSON.stringify([origin]));
    } catch {
      // A page without storage, such as about:blank.
    }
  }, new URL(url).origin);
}

/** A page of the same origin in which nothing runs. */
const BLANK = '<!doctype html><title>blank</title>';

/** A worker that starts the package's own in a browser that lacks JSPI. */
const NO_JSPI_WORKER = "import './no_jspi.js';\nimport './package/host/worker.js';\n";
const NO_JSPI = 'delete WebAssembly.Suspending;\ndelete WebAssembly.promising;\n';

/** The same in a browser in which a file is open in one tab at a time. */
const EXCLUSIVE_WORKER = "import './exclusive.js';\nimport './package/host/worker.js';\n";
const EXCLUSIVE = `delete FileSystemSyncAccessHandle.prototype.mode;
const open = FileSystemFileHandle.prototype.createSyncAccessHandle;
FileSystemFileHandle.prototype.createSyncAccessHandle = function () {
  return open.call(this);
};
`;

/** The same in a browser in which no manifest ever gets its name. */
const STALLING_WORKER = "import './stalling.js';\nimport './package/host/worker.js';\n";
const STALLING = `const move = FileSystemFileHandle.prototype.move;
FileSystemFileHandle.prototype.move = function (...to) {
  if (to[0] !== 'manifest') return move.apply(this, to);
  new BroadcastChannel('stalled').postMessage('');
  return new Promise(() => {});
};
`;

/** A worker in a browser that gives no storage. */
const REFUSING_WORKER = "import './refusing.js';\nimport './package/host/worker.js';\n";
const REFUSING = `StorageManager.prototype.getDirectory = () =>
  Promise.reject(new DOMException('storage is refused', 'SecurityError'));
`;

/** A worker that stops forever in the middle of a write to the cache: of pages, or of their headers, as its address says. */
const TEARING_WORKER = "import './tearing.js';\nimport './package/host/worker.js';\n";
const TEARING = `const write = FileSystemSyncAccessHandle.prototype.write;
const ofHeaders = location.pathname.includes('header');
let writes = 0;
FileSystemSyncAccessHandle.prototype.write = function (bytes, options) {
  // Pages are written as wholes, headers of 64 bytes each.
  const isOfHeaders = bytes.length % 16384 !== 0;
  if (isOfHeaders === ofHeaders && ++writes === 3) {
    write.call(this, bytes.subarray(0, bytes.length / 2 + 7), options);
    new BroadcastChannel('torn').postMessage('');
    for (;;);
  }
  return write.call(this, bytes, options);
};
`;

async function slowDown(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
}

export const test = base.extend<Fixtures>({
  // A page that has to be that of the build under test, whose every request is seen; the story of being offline allows them.
  serviceWorkers: 'block',
  allowsFolders: [false, { option: true }],
  // A private context reads OPFS through another process; people have a profile on disk.
  context: async ({ serviceWorkers, allowsFolders }, use) => {
    const profile = mkdtempSync(join(tmpdir(), 'varve-profile-'));
    if (allowsFolders) {
      const defaults = { file_system_read_guard: 1, file_system_write_guard: 1 };
      mkdirSync(join(profile, 'Default'));
      const preferences = { profile: { default_content_setting_values: defaults } };
      writeFileSync(join(profile, 'Default/Preferences'), JSON.stringify(preferences));
    }
    const context = await chromium.launchPersistentContext(profile, {
      ...chromiumLaunchOptions(),
      // People go back to a page that is as they left it.
      ignoreDefaultArgs: ['--disable-back-forward-cache'],
      headless: true,
      serviceWorkers,
    });
    if (SLOWDOWN > 1) {
      await Promise.all(context.pages().map(slowDown));
      // One that is closed by then needs it no more.
      context.on('page', page => void slowDown(page).catch(() => {}));
    }
    await use(context);
    await context.close();
    removeProfile(profile);
  },
  page: async ({ context }, use) => {
    await use(context.pages()[0] ?? (await context.newPage()));
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright finds out by the pattern what a fixture needs.
  console: async ({}, use) => {
    const also = { '/blank.html': BLANK };
    const server = await serve({ directory: join(root, 'dist/console'), also });
    await use(server);
    await server.close();
  },
  library: async ({ page }, use) => {
    const also = {
      '/blank.html': BLANK,
      '/no_jspi_worker.js': NO_JSPI_WORKER,
      '/no_jspi.js': NO_JSPI,
      '/exclusive_worker.js': EXCLUSIVE_WORKER,
      '/exclusive.js': EXCLUSIVE,
      '/stalling_worker.js': STALLING_WORKER,
      '/stalling.js': STALLING,
      '/refusing_worker.js': REFUSING_WORKER,
      '/refusing.js': REFUSING,
      '/tearing_page_worker.js': TEARING_WORKER,
      '/tearing_header_worker.js': TEARING_WORKER,
      '/tearing.js': TEARING,
    };
    const server = await serve({ directory: join(root, 'dist'), also });
    await page.goto(`${server.url}blank.html`);
    await use(page);
    await page.close();
    await server.close();
  },
  remote: async ({ context }, use) => {
    const server = await serve({ directory: sampleDirectory, cors: true });
    await trust(context, server.url);
    await use(server);
    await server.close();
  },
});

export { expect };
