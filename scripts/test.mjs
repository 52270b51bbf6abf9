// `npm test`: everything, from a fresh checkout. Goes on after a failure, so that one run shows all of them.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { checkSpace, prepareBuild, prepareTests } from './machine.mjs';
import { command, follow, root, Stop, say, succeeds } from './process.mjs';
import { buildAll } from './steps.mjs';

const total = { passed: 0, failed: 0, skipped: 0 };
const startedMs = Date.now();

// What is built for one run needs no traces of what changed since the last, and no lines in backtraces: a third of the disk.
if (process.env.CI) {
  process.env.CARGO_INCREMENTAL ??= '0';
  process.env.CARGO_PROFILE_DEV_DEBUG ??= '0';
}

await command(async () => {
  checkSpace();
  prepareBuild();
  prepareTests();
  await check('format of Rust', 'cargo', ['fmt', '--all', '--check']);
  await check('format and lints of TypeScript', 'node_modules/.bin/biome', ['check', '--error-on-warnings', '.']);
  await check('lints of Rust', 'cargo', ['clippy', '--quiet', '--all-targets', '--', '--deny', 'warnings']);
  await rustTests();
  if (built()) {
    await check('size of the engine', 'cargo', ['xtask', 'size']);
    await check('types of TypeScript', 'npm', ['run', '--silent', 'types']);
    await check('shape of the package', 'npm', ['run', '--silent', 'check:package']);
    vitest();
    playwright();
  }
  const minutes = ((Date.now() - startedMs) / 60_000).toFixed(1);
  say(`\nDone in ${minutes} minutes.`);
  say(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
  if (total.failed > 0) process.exitCode = 1;
});

/** @param {string} title */
function heading(title) {
  say(`\n── ${title} (${Math.round((Date.now() - startedMs) / 1000)} s)`);
}

/**
 * A command that passes or fails as a whole.
 *
 * @param {string} title
 * @param {string} program
 * @param {readonly string[]} args
 */
async function check(title, program, args) {
  heading(title);
  if (succeeds(program, args)) total.passed += 1;
  else total.failed += 1;
}

function built() {
  heading('build');
  try {
    buildAll();
    return true;
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    say(error.message);
    total.failed += 1;
    return false;
  }
}

/**
 * Rust's tests in one cargo invocation. Tests that miss an oracle print a line `skipped: …` and return; the output of
 * passing tests is shown to find those lines, and only what matters of it is printed on.
 */
async function rustTests() {
  heading('tests of Rust');
  const before = total.failed;
  /** @type {Map<string, number>} */
  const skipped = new Map();
  let isOfFailure = false;
  let isCounted = false;
  /** @param {string} line */
  const read = line => {
    const result = /^test result: \S+ (\d+) passed; (\d+) failed; (\d+) ignored/.exec(line);
    if (result !== null) {
      const [passed = 0, failed = 0, ignored = 0] = result.slice(1).map(Number);
      total.passed += passed;
      total.failed += failed;
      total.skipped += ignored;
      if (passed + failed > 0) say(line);
    } else if (/^---- .* ----$/.test(line)) {
      isCounted = false; // The output of the next test begins.
    } else if (line.startsWith('skipped: ') && !isCounted) {
      isCounted = true;
      skipped.set(line, (skipped.get(line) ?? 0) + 1);
    }
    if (line === 'failures:' || /^(error|warning)(\[|:)/.test(line)) isOfFailure = true;
    if (line === 'successes:' || result !== null) isOfFailure = false;
    if (isOfFailure) say(line);
  };
  const { ok } = await follow('cargo', ['test', '--quiet', '--no-fail-fast', '--', '--show-output'], read);
  for (const [reason, count] of skipped) {
    say(`${count} tests ${reason}`);
    total.passed -= count;
    total.skipped += count;
  }
  if (!ok && total.failed === before) total.failed += 1;
}

function vitest() {
  heading('tests of TypeScript in Node and Chromium');
  const report = join(root, 'test-results/vitest.json');
  rmSync(report, { force: true });
  const ok = succeeds('node_modules/.bin/vitest', [
    'run',
    '--passWithNoTests',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]);
  const before = total.failed;
  const counts = readJson(report);
  total.passed += counts?.numPassedTests ?? 0;
  total.failed += counts?.numFailedTests ?? 0;
  total.skipped += (counts?.numPendingTests ?? 0) + (counts?.numTodoTests ?? 0);
  if (!ok && total.failed === before) total.failed += 1;
}

function playwright() {
  heading('stories in Chromium');
  const report = join(root, 'test-results/playwright.json');
  rmSync(report, { force: true });
  const ok = succeeds('node_modules/.bin/playwright', ['test']);
  const before = total.failed;
  const stats = readJson(report)?.stats;
  total.passed += (stats?.expected ?? 0) + (stats?.flaky ?? 0);
  total.failed += stats?.unexpected ?? 0;
  if (stats?.flaky > 0) say(`${stats.flaky} of them flaky: passed at the second try`);
  total.skipped += stats?.skipped ?? 0;
  if (!ok && total.failed === before) total.failed += 1;
}

/** @param {string} path */
function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined; // The runner fell over before it could write; its exit code counts as the failure.
  }
}
