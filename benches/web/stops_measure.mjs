// How late a statement ends that is timed out or aborted; runs in Node and in a page.

/** @typedef {import('../../dist/package/lib/index.js').Database} Database */

/** After so long a statement is stopped. */
export const STOP_AFTER_MS = 20;

/** A call of a function that hears no signal is stopped then. */
export const CALL_TIMEOUT_MS = 15 * STOP_AFTER_MS;

/** A statement whose turns are measured runs as long as that. */
const TURNS_MS = 3000;

/**
 * Runs a statement with a limit on its time, and reads its rows.
 *
 * @param {Database} database @param {string} sql @param {Record<string, string>} [files] texts of files that it reads
 * @returns {Promise<{ tookMs: number, lateMs: number, outcome: string }>} how long after the limit the statement and the session were free again
 */
export async function timedOut(database, sql, files = {}) {
  const began = performance.now();
  const outcome = await read(database, sql, { timeoutMs: STOP_AFTER_MS }, files);
  const tookMs = performance.now() - began;
  return { tookMs, lateMs: tookMs - STOP_AFTER_MS, outcome };
}

/**
 * Aborts a statement; it has ended when the session answers another one.
 *
 * @param {Database} database @param {string} sql @param {Record<string, string>} [files] @param {number} [afterMs]
 * @param {number} [timeoutMs] ends what never hears the signal
 * @returns {ReturnType<typeof timedOut>}
 */
export async function aborted(database, sql, files = {}, afterMs = STOP_AFTER_MS, timeoutMs = undefined) {
  const control = new AbortController();
  const began = performance.now();
  // Where the engine works in this thread the timer fires late, and that counts.
  const timer = setTimeout(() => control.abort(), afterMs);
  const outcome = await read(database, sql, { signal: control.signal, timeoutMs }, files);
  await database.query('SELECT 1');
  const endedMs = performance.now();
  clearTimeout(timer);
  // A statement that ended in one call was not aborted at all, for the timer could not fire: that is late as well.
  const lateMs = Math.max(0, endedMs - began - afterMs);
  return { tookMs: endedMs - began, lateMs, outcome };
}

/** The same of a call of a function in Node, where no signal is heard while one value is computed: the timeout ends that. @type {typeof aborted} */
export const abortedCall = (database, sql, files) => aborted(database, sql, files, STOP_AFTER_MS, CALL_TIMEOUT_MS);

/** The same later, when the statement is read and is being planned. @type {typeof aborted} */
export const abortedLater = (database, sql, files) => aborted(database, sql, files, 15 * STOP_AFTER_MS);

/**
 * Runs a statement for some seconds where the engine works in this thread: so late a signal can be heard as the longest time is in which
 * nothing else had its turn.
 *
 * @param {Database} database @param {string} sql @param {Record<string, string>} [files]
 * @returns {ReturnType<typeof timedOut>}
 */
export async function longestTurn(database, sql, files = {}) {
  const began = performance.now();
  let [lastMs, lateMs, isOver] = [began, 0, false];
  let cpu = process.cpuUsage();
  const turn = () => {
    const nowMs = performance.now();
    const { user, system } = process.cpuUsage(cpu);
    // Of a busy machine the time of this process counts.
    lateMs = Math.max(lateMs, Math.min(nowMs - lastMs, (user + system) / 1000));
    [lastMs, cpu] = [nowMs, process.cpuUsage()];
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const outcome = await read(database, sql, { timeoutMs: TURNS_MS }, files);
  turn();
  isOver = true;
  return { tookMs: performance.now() - began, lateMs, outcome };
}

/** @param {Database} database @param {string} sql @param {object} options @param {Record<string, string>} texts */
async function read(database, sql, options, texts) {
  const encoder = new TextEncoder();
  const files = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, encoder.encode(text)]));
  try {
    for await (const batch of database.stream(sql, [], { ...options, files })) batch.release();
    return 'done';
  } catch (error) {
    return `${error.errno ?? error.name ?? ''} ${error.message}`.slice(0, 100);
  }
}

/**
 * Runs statements in turn.
 *
 * @param {Database} database @param {readonly string[]} statements @param {boolean} isTolerant whether they may fail
 */
export async function runAll(database, statements, isTolerant) {
  for (const sql of statements) {
    try {
      await database.query(sql);
    } catch (error) {
      if (!isTolerant) throw new Error(`${sql.slice(0, 200)}: ${error.message}`);
    }
  }
}
