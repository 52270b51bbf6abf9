// How late a statement ends that is timed out or aborted; runs in Node and in a page.

/** @typedef {import('../../dist/package/lib/index.js').Database} Database */

/** After so long a statement is stopped. */
export const STOP_AFTER_MS = 20;

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
 * @param {Database} database @param {string} sql @param {Record<string, string>} [files]
 * @returns {ReturnType<typeof timedOut>}
 */
export async function aborted(database, sql, files = {}) {
  const control = new AbortController();
  const began = performance.now();
  // Where the engine works in this thread the timer fires late, and that counts.
  const timer = setTimeout(() => control.abort(), STOP_AFTER_MS);
  const outcome = await read(database, sql, { signal: control.signal }, files);
  await database.query('SELECT 1');
  const endedMs = performance.now();
  clearTimeout(timer);
  // A statement that ended in one call was not aborted at all, for the timer could not fire: that is late as well.
  const lateMs = Math.max(0, endedMs - began - STOP_AFTER_MS);
  return { tookMs: endedMs - began, lateMs, outcome };
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
