/** `varve stash`. */
import type { Row } from '../../../client/index.ts';
import { call, type Invocation } from '../call.ts';
import { UsageError } from '../output.ts';
import { printStatus } from './status.ts';

/** The list of stashes that native Dolt's command line keeps its own in. */
const LIST = 'dolt-cli';
const NOTHING_TO_STASH = /no local changes to save/i;

/** Puts changes aside and takes them back: the newest, or the one of a number. */
export async function stash(invocation: Invocation): Promise<number> {
  const [first, ...rest] = invocation.args;
  switch (first) {
    case 'list':
      return list(invocation);
    case 'clear':
      await call(invocation.database, 'dolt_stash', ['clear', LIST]);
      return 0;
    case 'pop':
    case 'apply':
    case 'drop':
      return take(invocation, first, rest);
    case 'push':
      return push(invocation, rest);
    default:
      if (first !== undefined && !first.startsWith('-')) throw new UsageError(`stash knows no ${first}`);
      return push(invocation, invocation.args);
  }
}

async function stashes({ database }: Invocation): Promise<readonly Row[]> {
  return (await database.query('SELECT * FROM dolt_stashes WHERE name = ?', [LIST])).rows;
}

const textOf = (stash: Row | undefined): string =>
  `WIP on refs/heads/${stash?.branch}: ${stash?.hash} ${stash?.commit_message}`;

async function push(invocation: Invocation, args: readonly string[]): Promise<number> {
  const { database, output } = invocation;
  try {
    await call(database, 'dolt_stash', ['push', LIST, ...args]);
  } catch (error) {
    if (!(error instanceof Error && NOTHING_TO_STASH.test(error.message))) throw error;
    output.error('No local changes to save\n');
    return 0;
  }
  const [newest] = await stashes(invocation);
  await output.out(`Saved working directory and index state ${textOf(newest)}\n`);
  return 0;
}

async function list(invocation: Invocation): Promise<number> {
  for (const stash of await stashes(invocation)) {
    await invocation.output.out(`${stash.stash_id}: ${textOf(stash)}\n`);
  }
  return 0;
}

async function take(
  invocation: Invocation,
  verb: 'pop' | 'apply' | 'drop',
  [word = '0']: readonly string[],
): Promise<number> {
  const { database, output, useColor } = invocation;
  const number = Number(/^(?:stash@\{)?(\d+)\}?$/.exec(word)?.[1] ?? Number.NaN);
  if (Number.isNaN(number)) throw new UsageError(`stash ${verb} takes the number of a stash`);
  const kept = await stashes(invocation);
  const taken = kept[number];
  if (taken === undefined)
    throw new Error(kept.length === 0 ? 'no stash entries found' : `stash index stash@{${number}} does not exist`);
  await call(database, 'dolt_stash', [verb, LIST, `stash@{${number}}`]);
  if (verb !== 'drop') await printStatus(database, output, { useColor });
  if (verb !== 'apply') await output.out(`Dropped refs/stash@{${number}} (${taken.hash})\n`);
  return 0;
}
