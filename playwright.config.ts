import { defineConfig } from 'playwright/test';
import { findDolt } from './scripts/dolt.mjs';

// The oracle of stories of remotes, for every worker.
process.env.VARVE_DOLT ??= findDolt() ?? '';

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  // Each story serves its own files and has its own profile, so they may run side by side.
  fullyParallel: true,
  workers: 2,
  // What hangs is ended; what is only slow, on a machine with other work, is not a failure.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  // A browser that crashes does not fail a whole run; what passes at the second try only is reported as flaky.
  retries: process.env.CI === undefined ? 0 : 1,
  forbidOnly: process.env.CI !== undefined,
  reporter: [['list'], ['json', { outputFile: 'test-results/playwright.json' }]],
});
