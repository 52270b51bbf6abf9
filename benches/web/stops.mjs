// How late every kind of statement and every function ends that is timed out or aborted, in Node or in Chromium:
// `node benches/web/stops.mjs [node|chromium] [statements|calls|all] [pattern of names] [part/parts]` prints what is over 200 ms, and the
// worst ten. Parts, of which each has every so-manieth case, can run beside each other.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from '../../dist/package/node/index.js';
import { openBenchPage } from './chromium.mjs';
import { table } from './statistics.mjs';
import { calls, RESET, SETUP, statements } from './stops_cases.mjs';
import { aborted, abortedCall, CALL_TIMEOUT_MS, longestTurn, runAll, timedOut } from './stops_measure.mjs';

const LATE_MS = 200;
/** What is late may be so because the machine is busy: the least lateness counts. */
const ATTEMPTS = 3;
/** In Node the engine works in the thread of the timer that aborts, which never fires within a call that does not return. */
const ONE_CALL = /endless|LIKE CONCAT|REGEXP_LIKE.REPEAT/;
/** What ended by its timeout instead of the signal: in Node a value that takes long is one call. */
const heardNothing = ({ how, lateMs, outcome }) =>
  how === 'abortedCall' && host === 'node' && outcome.startsWith('3024') && lateMs <= CALL_TIMEOUT_MS + LATE_MS;
/** What has not ended then never does: the run is over. */
const HUNG_MS = 120_000;

const [host = 'node', which = 'all', pattern = '', parts = '1/1'] = process.argv.slice(2);
const names = new RegExp(pattern);
const [part, partsCount] = parts.split('/').map(Number);
const STATEMENTS = new Set(which === 'calls' ? [] : statements());
const cases = [...STATEMENTS, ...(which === 'statements' ? [] : calls())].filter(
  ({ name }, at) => names.test(name) && at % partsCount === part - 1,
);

/** @returns what runs statements: `run` several, whatever becomes of them, and the two measurements */
async function start() {
  if (host === 'chromium') {
    const { bench, close } = await openBenchPage();
    await bench('openFresh', 'stops');
    return {
      run: (sql, isTolerant) => bench('runAll', sql, isTolerant),
      timedOut: (sql, files) => bench('timedOut', sql, files),
      aborted: (sql, files) => bench('aborted', sql, files),
      abortedCall: (sql, files) => bench('aborted', sql, files),
      later: (sql, files) => bench('abortedLater', sql, files),
      close,
    };
  }
  const directory = mkdtempSync(join(tmpdir(), 'varve-stops-'));
  const database = await open({ path: join(directory, 'stops'), create: true });
  return {
    run: (sql, isTolerant) => runAll(database, sql, isTolerant),
    timedOut: (sql, files) => timedOut(database, sql, files),
    aborted: (sql, files) => aborted(database, sql, files),
    abortedCall: (sql, files) => abortedCall(database, sql, files),
    later: (sql, files) => longestTurn(database, sql, files),
    close: async () => {
      await database.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

const engine = await start();
const setupMs = performance.now();
await engine.run(SETUP, false);
process.stderr.write(`made the tables in ${((performance.now() - setupMs) / 1000).toFixed(0)} s\n`);

/** @param {ReturnType<typeof statements>[number]} one @param {'timedOut' | 'aborted' | 'abortedCall' | 'later'} how */
async function measure({ name, sql, before: prepared, files, changes }, how) {
  let least;
  for (let attempt = 0; attempt < ATTEMPTS && (least === undefined || least.lateMs > LATE_MS); attempt += 1) {
    await engine.run(prepared, true);
    const hung = setTimeout(() => {
      process.stderr.write(`${name}: has not ended ${how} after ${HUNG_MS / 1000} s\n`);
      process.exit(1);
    }, HUNG_MS);
    const before = process.cpuUsage();
    const measured = await engine[how](sql, files);
    // Of a busy machine the time of this process counts.
    const { user, system } = process.cpuUsage(before);
    if (host === 'node' && how !== 'later') measured.lateMs = Math.min(measured.lateMs, (user + system) / 1000);
    clearTimeout(hung);
    if (changes) await engine.run(RESET, true);
    if (least === undefined || measured.lateMs < least.lateMs) least = measured;
    if (heardNothing({ ...measured, how })) break;
  }
  return { ...least, how, name };
}

const results = [];
for (const one of cases) {
  const timed = await measure(one, 'timedOut');
  results.push(timed);
  const isAborted = timed.lateMs > 0 && !(host === 'node' && ONE_CALL.test(one.name));
  if (isAborted) results.push(await measure(one, STATEMENTS.has(one) ? 'aborted' : 'abortedCall'));
  // A long statement is read first, planned then, and runs after that.
  const isLater = isAborted && STATEMENTS.has(one);
  if (isLater) results.push(await measure(one, 'later'));
  for (const result of results.slice(-1 - isAborted - isLater)) {
    const { lateMs, how, name, outcome } = result;
    if (lateMs > LATE_MS && !heardNothing(result))
      process.stderr.write(`${lateMs.toFixed(0).padStart(7)} ms ${how.padEnd(8)} ${name}: ${outcome}\n`);
  }
}
await engine.close();

results.sort((left, right) => right.lateMs - left.lateMs);
const unheard = results.filter(heardNothing);
const late = results.filter(result => result.lateMs > LATE_MS && !heardNothing(result));
const rows = results
  .filter(result => !heardNothing(result))
  .slice(0, Math.max(10, late.length))
  .map(({ name, how, lateMs, outcome }) => [`${name} (${how})`, `${lateMs.toFixed(0)} ms`, outcome]);
console.log(table([[`${host}: ${cases.length} cases, ${results.length} stops`, 'late', 'outcome'], ...rows]));
if (unheard.length > 0) {
  console.log(
    `${unheard.length} compute one value for so long that a signal is not heard; their timeouts are on time:`,
  );
  for (const { name, lateMs } of unheard) console.log(`  ${lateMs.toFixed(0)} ms ${name}`);
}
console.log(`${late.length} are more than ${LATE_MS} ms late`);
process.exitCode = late.length === 0 ? 0 : 1;
