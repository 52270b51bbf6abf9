import { fileURLToPath } from 'node:url';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { chromiumLaunchOptions } from './scripts/chromium.mjs';
import { findDolt } from './scripts/dolt.mjs';
import { FIRST_SCRIPT, firstPaint } from './scripts/page_parts.mjs';
import { preloads } from './scripts/preloads.mjs';
import { serviceWorker } from './scripts/service_worker.mjs';
import { PAGE_HEADERS } from './scripts/static_server.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));

export default defineConfig({
  root: `${root}web`,
  // Relative addresses: the built console can lie in any directory of any static host.
  base: './',
  build: {
    outDir: `${root}dist/console`,
    emptyOutDir: true,
    target: 'es2023',
    // The wasm file must stay a file of its own: inlined it would be a third larger and not compiled while it streams.
    assetsInlineLimit: 0,
    // The console's Content-Security-Policy allows modules of its own origin only.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'start', test: FIRST_SCRIPT, priority: 2 },
            { name: firstPaint, debugName: 'shared', minShareCount: 2, priority: 1 },
            // What it needs of the first paint stays there.
            { name: 'later', minShareCount: 2, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
  plugins: [preloads(), serviceWorker()],
  worker: { format: 'es' },
  server: { fs: { allow: [root] }, headers: PAGE_HEADERS },
  preview: { headers: PAGE_HEADERS },
  test: {
    root,
    // What hangs is ended; what is only slow, on a machine with other work, is not a failure.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // As in playwright.config.ts: what passes at the second try only is marked so in the report.
    retry: process.env.CI === undefined ? 0 : 1,
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          env: { VARVE_DOLT: findDolt() ?? '' },
          setupFiles: ['web/src/testing/own_cache.setup.ts', 'web/src/testing/lexer.setup.ts'],
          include: ['web/src/**/*.test.ts', 'web/src/**/*.test.tsx', 'scripts/**/*.test.ts'],
          exclude: ['**/*.browser.test.*', '**/node_modules/**'],
        },
      },
      {
        extends: true,
        // No prebundling behind a running test: a dependency found late reloads the page and fails the run.
        optimizeDeps: {
          include: [
            'preact',
            'preact/hooks',
            'preact/jsx-runtime',
            'preact/jsx-dev-runtime',
            '@preact/signals',
            '@codemirror/autocomplete',
            '@codemirror/commands',
            '@codemirror/lang-sql',
            '@codemirror/language',
            '@codemirror/lint',
            '@codemirror/search',
            '@codemirror/state',
            '@codemirror/view',
            '@lezer/highlight',
          ],
        },
        test: {
          name: 'browser',
          setupFiles: ['web/src/testing/lexer.browser.setup.ts'],
          include: ['web/src/**/*.browser.test.ts', 'web/src/**/*.browser.test.tsx'],
          exclude: ['**/node_modules/**'],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: chromiumLaunchOptions() }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
});
