/**
 * Generated histories over a network: Varve and native Dolt share a database of a native `sql-server`, and of `varve serve`. Both sides have the
 * same names with the same hashes afterwards, and `dolt fsck` finds nothing. `VARVE_REMOTE_HISTORIES` says how many; `file://` has the like in
 * rust/vcs/tests/remotes_agree_with_native_dolt.rs.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { scratchDirectory, withDolt } from '../../testing/built_engine.ts';
import { dolt, doltHome, makeDatabase, runDolt, runDoltLater, SqlServer } from '../../testing/native_dolt.ts';
import { randomly } from '../../testing/random.ts';
import { VarveServer } from '../../testing/varve_server.ts';
import { type CloneOptions, clone, type Database } from '../index.ts';

const HISTORIES = Number(process.env.VARVE_REMOTE_HISTORIES ?? 1);
const TURNS = 8;
const PASSWORD = 'a secret: or not';
const scratch = scratchDirectory();
const home = dolt === null ? '' : doltHome(scratch);
process.env.DOLT_REMOTE_PASSWORD = PASSWORD;

/** Names and hashes. */
type Names = Record<string, string>;

/** A clone, and who works in it. */
interface Side {
  checkout(branch: string, isNew?: boolean): Promise<void>;
  sql(statement: string): Promise<void>;
  fetch(): Promise<void>;
  pull(branch: string): Promise<void>;
  /** False: rejected, since the remote has commits that are not here. */
  push(ref: string, force?: boolean): Promise<boolean>;
  query(statement: string): Promise<string[][]>;
  close(): Promise<void>;
}

class VarveSide implements Side {
  readonly #database: Database;
  readonly #who: { readonly user?: string };

  private constructor(database: Database, who: { readonly user?: string }) {
    this.#database = database;
    this.#who = who;
  }

  static async clone(
    url: string,
    path: string,
    user: string | null,
    options: Pick<CloneOptions, 'depth' | 'lazy'> = {},
  ): Promise<VarveSide> {
    const who = user === null ? {} : { user };
    return new VarveSide(await clone(url, { path }, { ...who, ...options }), who);
  }

  /** Of a lazy clone: it becomes a whole one. */
  async complete(): Promise<void> {
    expect(await this.#database.lazyClone()).not.toBe(null);
    await this.#database.completeClone();
  }

  async checkout(branch: string, isNew = false): Promise<void> {
    await this.sql(isNew ? `CALL dolt_checkout('-b', '${branch}')` : `CALL dolt_checkout('${branch}')`);
  }

  async sql(statement: string): Promise<void> {
    await this.#database.query(statement);
  }

  async fetch(): Promise<void> {
    await this.#database.fetch({ ...this.#who, prune: true });
  }

  async pull(branch: string): Promise<void> {
    const { outcome } = await this.#database.pull({ ...this.#who, remote: 'origin', branch });
    expect(['merged', 'up_to_date']).toContain(outcome);
  }

  async push(ref: string, force = false): Promise<boolean> {
    const { outcome, reason } = await this.#database.push({ ...this.#who, remote: 'origin', refs: [ref], force });
    expect(reason).toBe(outcome === 'rejected' ? 'non_fast_forward' : null);
    return outcome !== 'rejected';
  }

  async query(statement: string): Promise<string[][]> {
    return (await this.#database.query(statement)).rowArrays().map(row => row.map(String));
  }

  async close(): Promise<void> {
    expect((await this.#database.verify()).isWhole).toBe(true);
    await this.#database.close();
  }
}

class NativeSide implements Side {
  readonly #path: string;
  readonly #user: string[];

  constructor(path: string, user: string | null) {
    this.#path = path;
    this.#user = user === null ? [] : ['--user', user];
  }

  static async clone(url: string, path: string, user: string | null, depth?: number): Promise<NativeSide> {
    const side = new NativeSide(path, user);
    const shallow = depth === undefined ? [] : ['--depth', String(depth)];
    await runDoltLater(scratch, home, PASSWORD, 'clone', ...side.#user, ...shallow, url, path);
    return side;
  }

  async checkout(branch: string, isNew = false): Promise<void> {
    await this.#run('checkout', ...(isNew ? ['-b'] : []), branch);
  }

  async sql(statement: string): Promise<void> {
    await this.#run('sql', '-q', statement);
  }

  async fetch(): Promise<void> {
    await this.#run('fetch', ...this.#user, '--prune', 'origin');
  }

  async pull(branch: string): Promise<void> {
    await this.#run('pull', '--no-edit', ...this.#user, 'origin', branch);
  }

  async push(ref: string, force = false): Promise<boolean> {
    try {
      await this.#run('push', ...this.#user, ...(force ? ['--force'] : []), 'origin', ref);
      return true;
    } catch (error) {
      expect(String((error as { stderr?: string }).stderr)).toMatch(/non-fast-forward/);
      return false;
    }
  }

  async query(statement: string): Promise<string[][]> {
    const [, ...lines] = (await this.#run('sql', '-r', 'csv', '-q', statement)).trim().split('\n');
    return lines.map(line => line.split(','));
  }

  async close(): Promise<void> {}

  #run(...args: string[]): Promise<string> {
    return runDoltLater(this.#path, home, PASSWORD, ...args);
  }
}

async function names(side: Side, branches = 'dolt_remote_branches'): Promise<Names> {
  const found = await side.query(
    `SELECT name, hash FROM ${branches} UNION ALL SELECT concat('tag ', tag_name), tag_hash FROM dolt_tags ORDER BY 1`,
  );
  return Object.fromEntries(found.map(([name = '', hash = '']) => [name.replace('remotes/origin/', ''), hash]));
}

/** Without tags: one that is on no branch any more is brought by no fetch, and stays where it was made. */
async function branchesOf(side: Side): Promise<Names> {
  return Object.fromEntries(Object.entries(await names(side)).filter(([name]) => !name.startsWith('tag ')));
}

/** One side does something: commits, merges, makes or deletes a branch, a tag, replaces a commit. It says what, for messages. */
async function turn(side: Side, random: (below: number) => number, id: number): Promise<string> {
  await side.fetch();
  const there = Object.keys(await branchesOf(side));
  const branch = there[random(there.length)] as string;
  const commit = async (): Promise<void> => {
    const rows = Array.from({ length: 1 + random(40) }, (_, row) => `(${100 * id + row}, repeat('${row} ', 20))`);
    await side.sql(`INSERT INTO t VALUES ${rows.join(', ')}`);
    await side.sql(`CALL dolt_commit('-am', 'commit ${id}')`);
  };
  await side.checkout(branch);
  const action = random(8);
  if (action === 0) {
    const name = `b/${id}`;
    await side.checkout(name, true);
    await commit();
    expect(await side.push(name)).toBe(true);
    return `new branch ${name}`;
  }
  if (action === 1) {
    await side.pull(branch);
    await side.sql(`CALL dolt_tag('at-${id}')`);
    // The tag leads to what may be here alone.
    expect(await side.push(`at-${id}`)).toBe(true);
    return `tag at-${id}`;
  }
  if (action === 2 && branch !== 'main') {
    await side.checkout('main');
    await side.sql(`CALL dolt_branch('-D', '${branch}')`);
    expect(await side.push(`:${branch}`)).toBe(true);
    return `deleted ${branch}`;
  }
  if (action === 3) {
    await side.pull(branch);
    await side.sql(`CALL dolt_commit('--amend', '-m', 'amended ${id}')`);
    expect(await side.push(branch, true)).toBe(true);
    return `forced ${branch}`;
  }
  await commit();
  const isPushed = await side.push(branch);
  if (!isPushed) {
    await side.pull(branch);
    expect(await side.push(branch)).toBe(true);
  }
  return `${isPushed ? 'pushed' : 'merged'} ${branch}`;
}

/** Gives the names of the remote in the end. */
async function history(url: string, user: string | null, seed: number, lazy: boolean, done: string[]): Promise<Names> {
  const random = randomly(seed * 977 + 5);
  const folder = mkdtempSync(join(scratch, 'history-'));
  const at = (name: string): string => join(folder, name);
  const ours = await VarveSide.clone(url, at('ours'), user, { lazy });
  const theirs = await NativeSide.clone(url, at('theirs'), user);
  expect(await names(ours)).toEqual(await names(theirs));
  for (let number = 1; number <= TURNS; number++) {
    const isOurs = random(2) === 0;
    done.push(`${isOurs ? 'ours' : 'theirs'}: ${await turn(isOurs ? ours : theirs, random, number)}`);
    if (number % 4 > 0) continue;
    for (const side of [ours, theirs]) await side.fetch();
    expect(await branchesOf(ours)).toEqual(await branchesOf(theirs));
  }
  // A part of the history, in which both go on.
  const depth = 1 + random(3);
  const shallow = [
    await VarveSide.clone(url, at('ours-shallow'), user, { depth }),
    await NativeSide.clone(url, at('theirs-shallow'), user, depth),
  ] as const;
  const log = 'SELECT commit_hash, message FROM dolt_log';
  expect(await shallow[0].query(log)).toEqual(await shallow[1].query(log));
  for (const [number, side] of shallow.entries()) {
    if (number > 0) await side.pull('main');
    await side.sql(`INSERT INTO t VALUES (${10_000 + number}, 'shallow')`);
    await side.sql(`CALL dolt_commit('-am', 'shallow ${number}')`);
    expect(await side.push('main')).toBe(true);
  }
  // What everything has become, cloned by both.
  const again = await VarveSide.clone(url, at('ours-again'), user);
  const natively = await NativeSide.clone(url, at('theirs-again'), user);
  const last = await names(again);
  expect(await names(natively)).toEqual(last);
  const rows = 'SELECT CAST(id AS CHAR), name FROM t ORDER BY id';
  expect(await again.query(rows)).toEqual(await natively.query(rows));
  if (lazy) {
    expect(await ours.query(rows)).not.toEqual([]);
    await ours.complete();
  }
  for (const side of [ours, shallow[0], again]) await side.close();
  for (const name of ['ours', 'theirs', 'ours-again', 'theirs-again']) {
    expect(runDolt(at(name), home, 'fsck')).toMatch(/no problems/i);
  }
  rmSync(folder, { recursive: true });
  return last;
}

const SERVERS = {
  'a native sql-server': { user: null, start: (folder: string) => SqlServer.start(folder, home) },
  'varve serve': { user: 'tester', start: (folder: string) => VarveServer.start(folder, 'tester', PASSWORD) },
};

const KINDS = Object.entries(SERVERS).flatMap(([name, server]) =>
  [false, true].map(lazy => ({ ...server, name, kind: lazy ? 'a lazy clone' : 'a clone', lazy })),
);

describe.each(KINDS)('$name and $kind', ({ name, user, start, lazy }) => {
  withDolt(
    'histories of native Dolt and Varve agree in names and hashes, and are whole',
    async () => {
      const folder = join(scratch, `${name.replaceAll(' ', '-')}${lazy ? '-lazy' : ''}`);
      const original = makeDatabase(folder, 'original', home);
      const seeds = Array.from({ length: HISTORIES }, (_, number) => number + 1);
      // A journal comes as a whole.
      if (lazy) runDolt(original, home, 'gc');
      for (const seed of seeds) cpSync(original, join(folder, `db${seed}`), { recursive: true });
      const server = await start(folder);
      const expected = new Map<number, Names>();
      try {
        for (const seed of seeds) {
          const done: string[] = [];
          try {
            expected.set(seed, await history(`${server.url}/db${seed}`, user, seed, lazy, done));
          } catch (error) {
            throw new Error(`seed ${seed}, after ${done.join(', ')}`, { cause: error });
          }
        }
      } finally {
        await server.stop();
      }
      for (const [seed, there] of expected) {
        const path = join(folder, `db${seed}`);
        expect(await names(new NativeSide(path, null), 'dolt_branches')).toEqual(there);
        expect(runDolt(path, home, 'fsck')).toMatch(/no problems/i);
        expect(runDolt(path, home, 'status')).toContain('nothing to commit');
      }
    },
    60_000 * Math.max(1, HISTORIES),
  );
});
