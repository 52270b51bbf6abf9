// Rounds of kills: a program writes, native Dolt writes beside it, signals hit the program, its group and its children, and it is killed.
// Afterwards exactly what was acknowledged is there, and at most the one batch that was under way; both find the files whole.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as Varve from '../../web/src/lib/index.ts';
import { batchRows, KINDS, random, TABLE_ROWS } from './batches.mjs';

type Database = Varve.Database;

/** The package, as it was built. */
const load = (): Promise<typeof Varve> => import(new URL('../../dist/package/node/index.js', import.meta.url).href);

const WRITER = fileURLToPath(new URL('writer.mjs', import.meta.url));

/** Kills on one database, by default; then native Dolt looks at it, and the next one begins with the next kind. */
const KILLS_OF_DATABASE = 8;
/** A writer is killed at most so long after its first word, or in half of the rounds after one of its first batches. */
const WORK_MS = 700;
const BATCHES_MAX = 6;
/** Signals before that, at random moments. */
const DISTURBANCES_MAX = 4;
/** So long it is stopped, as by a terminal. */
const STOPPED_MS = 40;

const pause = (milliseconds: number): Promise<void> => new Promise(resolve => setTimeout(resolve, milliseconds));

/** What was seen. */
export interface Tally {
  /** Of the writer. */
  kills: number;
  /** That it was to survive, kills of its children among them. */
  signals: number;
  /** Batches that it acknowledged. */
  batches: number;
  /** Batches that were there though nothing was said of them. */
  underWay: number;
  /** Batches that it was told to have failed, and that it wrote again. */
  retried: number;
  /** Commits of native Dolt beside it. */
  native: number;
  /** Times that native Dolt was told that the database is locked. */
  refused: number;
  /** Commands of native Dolt that read files during a change. */
  readDuringChange: number;
  /** Copies and new databases that were looked at. */
  copies: number;
  /** Copies that were killed half-way, and are no database. */
  unfinished: number;
}

const NOTHING: Tally = {
  kills: 0,
  signals: 0,
  batches: 0,
  underWay: 0,
  retried: 0,
  native: 0,
  refused: 0,
  readDuringChange: 0,
  copies: 0,
  unfinished: 0,
};

interface Options {
  readonly kills: number;
  readonly killsOfDatabase?: number;
  /** Of the moments, the signals and the work. */
  readonly seed: number;
  /** Native Dolt's binary; empty to go without. */
  readonly dolt: string;
  readonly kinds?: readonly string[];
  readonly log?: (text: string) => void;
}

/** One database that is written and killed again and again. */
interface State {
  readonly kind: string;
  readonly path: string;
  /** Where copies and new databases go. */
  readonly copies: string;
  readonly dolt: string;
  /** Batches that are there, from 1. */
  kept: number;
  /** Those of them that were acknowledged. */
  readonly acknowledged: number[];
  /** Rows that native Dolt has acknowledged. */
  readonly beside: number[];
  readonly tally: Tally;
  readonly next: () => number;
}

/**
 * Kills a writer so often.
 *
 * @throws Error with the seed and the kill when something is lost, comes twice, or is damaged; the files stay, to be looked at
 */
export async function runKills(options: Options): Promise<Tally> {
  const { kills, killsOfDatabase = KILLS_OF_DATABASE, seed, dolt, kinds = KINDS, log = () => {} } = options;
  const tally: Tally = { ...NOTHING };
  const next = random(seed);
  for (let database = 0; tally.kills < kills; database++) {
    const kind = kinds[database % kinds.length] as string;
    const place = mkdtempSync(join(tmpdir(), 'varve-kills-'));
    const path = join(place, 'kept');
    const state: State = { kind, path, copies: place, dolt, kept: 0, acknowledged: [], beside: [], tally, next };
    try {
      await makeDatabase(path);
      for (let kill = 0; kill < killsOfDatabase && tally.kills < kills; kill++) await killOnce(state);
      checkNative(state);
    } catch (error) {
      const where = `seed ${seed}, database ${database} (${kind}), kill ${tally.kills}, ${place}`;
      throw new Error(`${where}: ${messageOf(error)}`, { cause: error });
    }
    rmSync(place, { recursive: true });
    log(JSON.stringify(tally));
  }
  return tally;
}

async function makeDatabase(path: string): Promise<void> {
  const { open } = await load();
  const made = await open({ path, create: true });
  await made.query('CREATE TABLE kept (batch INT, n INT, t TEXT, PRIMARY KEY (batch, n), KEY (n))');
  await made.query('CREATE TABLE beside (id INT PRIMARY KEY, t TEXT)');
  await made.commit('Begin');
  await made.close();
}

async function killOnce(state: State): Promise<void> {
  const { kind, path, copies, tally, next } = state;
  const seed = String(Math.floor(next() * 2 ** 31));
  const writer = spawn(process.execPath, [WRITER, path, kind, String(state.kept + 1), seed, copies], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  let complained = '';
  const ended = new Promise<void>(resolve => writer.once('close', () => resolve()));
  const batches = next() < 0.5 ? 0 : Math.ceil(next() * BATCHES_MAX);
  const begun = new Promise<void>(resolve => {
    writer.stdout.on('data', data => {
      said += data;
      if (said.startsWith('begun\n') && said.split('kept ').length > batches) resolve();
    });
  });
  writer.stderr.on('data', data => {
    complained += data;
  });
  // Sometimes it is killed before it has begun.
  await Promise.race([begun, ended, ...(next() < 0.05 ? [pause(600 * next())] : [])]);
  const native = { isOver: false };
  const beside = writeBeside(state, native);
  const signals = Math.floor(next() * (DISTURBANCES_MAX + 1));
  const moments = Array.from({ length: signals + 1 }, () => next() * WORK_MS).sort((a, b) => a - b);
  let at = 0;
  for (const [index, moment] of moments.entries()) {
    await pause(moment - at);
    at = moment;
    if (index < signals) disturb(writer, next);
  }
  // By itself, or with its whole group, as a terminal or a service manager ends it.
  kill(next() < 0.5 ? writer : -(writer.pid as number), 'SIGKILL');
  await ended;
  native.isOver = true;
  await beside;
  tally.signals += signals;
  tally.kills++;
  if (complained !== '') throw new Error(`the writer says: ${complained}`);
  await check(state, said);
}

/** A signal for the group, or the end of a child: neither may cost an acknowledged commit. */
function disturb(writer: ChildProcess, next: () => number): void {
  const pid = writer.pid as number;
  const chance = next();
  if (chance < 0.35) kill(-pid, 'SIGINT');
  else if (chance < 0.5) kill(-pid, 'SIGTERM');
  else if (chance < 0.6) {
    kill(writer, 'SIGSTOP');
    setTimeout(() => kill(writer, 'SIGCONT'), STOPPED_MS);
  } else for (const child of childrenOf(pid)) kill(child, 'SIGKILL');
}

/** What is gone needs none. */
function kill(whom: ChildProcess | number, signal: NodeJS.Signals): void {
  try {
    if (typeof whom === 'number') process.kill(whom, signal);
    else whom.kill(signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Where the system tells: on Linux. */
function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap(thread => {
      const children = readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8');
      return children.split(' ').filter(Boolean).map(Number);
    });
  } catch {
    return [];
  }
}

/** Native Dolt inserts a row as often as it gets the lock. */
async function writeBeside(state: State, native: { isOver: boolean }): Promise<void> {
  const { path, dolt, beside, tally, next } = state;
  if (dolt === '') return;
  while (!native.isOver) {
    const id = beside.length;
    const { code, output } = await runDolt(dolt, path, ['sql', '-q', `INSERT INTO beside VALUES (${id}, 'native')`]);
    if (code === 0) {
      beside.push(id);
      tally.native++;
    } else if (/read.only|locked/.test(output)) tally.refused++;
    // Without the lock it reads while the writer appends or collects: a record that ends at the end of the file and then bytes after
    // it, or a manifest of before and files of after. Real damage is found by the check after the kill.
    else if (/possible data loss|root hash doesn't exist/.test(output)) tally.readDuringChange++;
    else throw new Error(`native Dolt beside the writer: ${output}`);
    await pause(30 * next());
  }
}

function runDolt(dolt: string, cwd: string, args: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise(resolve => {
    const child = spawn(dolt, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', data => {
        output += data;
      });
    }
    child.on('close', code => resolve({ code, output }));
  });
}

/** What the writer has said is there, and at most one batch more. */
async function check(state: State, said: string): Promise<void> {
  const { kind, path, tally } = state;
  const lines = said.split('\n').slice(0, -1);
  const kept = lines.filter(line => line.startsWith('kept ')).map(line => Number(line.slice(5)));
  for (const batch of kept) {
    state.kept++;
    if (batch !== state.kept) throw new Error(`batch ${batch} was acknowledged in place of ${state.kept}`);
  }
  state.acknowledged.push(...kept);
  tally.batches += kept.length;
  tally.retried += lines.filter(line => line.startsWith('retried ')).length;
  const { open } = await load();
  const database = await open(path);
  try {
    const { isWhole, problems } = await database.verify();
    if (!isWhole) throw new Error(`not whole: ${JSON.stringify(problems)}`);
    const more = await batchesMore(database, kind, state.kept);
    state.kept += more;
    tally.underWay += more;
    const { rows } = await database.query<{ id: number }>('SELECT id FROM beside ORDER BY id');
    const ids = rows.map(row => row.id).join();
    if (ids !== state.beside.join()) throw new Error(`native Dolt wrote ${state.beside}, there is ${ids}`);
    if (kind === 'table') await checkTables(database, state.kept);
    if (kind === 'commit') await checkLog(database, state.acknowledged);
  } finally {
    await database.close();
  }
  for (const line of lines) await checkCopy(line, lines, tally);
}

/** How many batches are there that nothing was said of: none or one. */
async function batchesMore(database: Database, kind: string, kept: number): Promise<number> {
  const whole = batchRows(kind, 0).length;
  const sql = 'SELECT batch, COUNT(*) AS n FROM kept GROUP BY batch ORDER BY batch';
  const { rows } = await database.query<{ batch: number; n: bigint }>(sql);
  for (const [index, { batch, n }] of rows.entries()) {
    if (batch !== index + 1 || Number(n) !== whole) throw new Error(`batch ${batch} has ${n} rows of ${whole}`);
  }
  const more = rows.length - kept;
  if (more !== 0 && more !== 1) throw new Error(`${kept} batches were acknowledged, ${rows.length} are there`);
  return more;
}

/** Tables that an import has made are there with all of their rows; one that was killed leaves none. */
async function checkTables(database: Database, kept: number): Promise<void> {
  const { rows } = await database.query<Record<string, string>>("SHOW TABLES LIKE 'made\\_%'");
  const names = rows.map(row => Object.values(row)[0] as string);
  for (let batch = 1; batch <= kept; batch++) {
    if (!names.includes(`made_${batch}`)) throw new Error(`there is no table of batch ${batch}`);
  }
  for (const name of names) {
    const [count] = (await database.query<{ n: bigint }>(`SELECT COUNT(*) AS n FROM ${name}`)).rows;
    if (Number(count?.n) !== TABLE_ROWS) throw new Error(`${name} has ${count?.n} rows of ${TABLE_ROWS}`);
  }
}

/** Each acknowledged batch has its Dolt commit; one that was under way may have got as far as its rows. */
async function checkLog(database: Database, kept: readonly number[]): Promise<void> {
  const sql = "SELECT message FROM dolt_log WHERE message LIKE 'batch %'";
  const { rows } = await database.query<{ message: string }>(sql);
  const numbers = new Set(rows.map(row => Number(row.message.slice(6))));
  if (numbers.size !== rows.length) throw new Error(`commits are there twice: ${rows.map(row => row.message)}`);
  const missing = kept.filter(batch => !numbers.has(batch));
  if (missing.length > 0) throw new Error(`no commits of batches ${missing}`);
}

/**
 * A copy is whole, or it was killed half-way and is no database. A new database is whole once it was acknowledged; before that it can be
 * made where the killed one was.
 */
async function checkCopy(line: string, lines: readonly string[], tally: Tally): Promise<void> {
  const [what, target = ''] = line.split(' ');
  if (what !== 'copying' && what !== 'creating') return;
  const { open, VarveError } = await load();
  const done = what === 'copying' ? 'copied' : 'created';
  const isDone = lines.some(other => other.startsWith(`${done} ${target}`));
  tally.copies++;
  const opened = await open(isDone || what === 'copying' ? target : { path: target, create: true }).catch(error => {
    const isRefused = error instanceof VarveError && REFUSED.has(error.code);
    if (isDone || what === 'creating' || !isRefused) throw new Error(`${line}: ${messageOf(error)}`);
    return null;
  });
  if (opened === null) {
    tally.unfinished++;
    // Nothing that was left stands in the way.
    await (await open({ path: target, create: true })).close();
  } else {
    const { isWhole, problems } = await opened.verify();
    if (!isWhole) throw new Error(`${line}: ${JSON.stringify(problems)}`);
    if (what === 'copying') {
      const { rows } = await opened.query<{ last: number }>('SELECT MAX(batch) AS last FROM kept');
      const batch = Number(target.slice(target.lastIndexOf('copy') + 4));
      if ((rows[0]?.last ?? 0) < batch) throw new Error(`${line}: it ends at batch ${rows[0]?.last}`);
    }
    if (lines.includes(`filled ${target}`)) await opened.query('SELECT * FROM made');
    await opened.close();
  }
  rmSync(target, { recursive: true, force: true });
}

/** What opening a part of a copy says. */
const REFUSED: ReadonlySet<string> = new Set(['not_a_database', 'unreadable']);

/** Native Dolt finds the same, and nothing wrong. */
function checkNative({ path, dolt, kind, kept, beside }: State): void {
  if (dolt === '') return;
  const run = (...args: string[]): string => {
    const { status, stdout, stderr } = spawnSync(dolt, args, { cwd: path, encoding: 'utf8' });
    if (status !== 0) throw new Error(`dolt ${args.join(' ')}: ${stdout}${stderr}`);
    return stdout;
  };
  const fsck = run('fsck');
  if (!fsck.includes('No problems found')) throw new Error(`dolt fsck: ${fsck}`);
  const sql = 'SELECT (SELECT COUNT(*) FROM kept) AS kept, (SELECT COUNT(*) FROM beside) AS beside';
  const found = run('sql', '-r', 'csv', '-q', sql).trim().split('\n')[1];
  const expected = `${kept * batchRows(kind, 0).length},${beside.length}`;
  if (found !== expected) throw new Error(`native Dolt counts ${found}, not ${expected}`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
