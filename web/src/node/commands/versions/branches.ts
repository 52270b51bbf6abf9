/** `branch` and `checkout`: which branches there are, and which one the directory is on. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database, Row } from '../../../client/index.ts';
import { paint } from '../../render/color.ts';
import { call, explaining, type Invocation } from '../call.ts';
import { UsageError } from '../output.ts';

export async function branch({ database, args: given, output, useColor }: Invocation): Promise<number> {
  // `-av` is `-a -v`.
  const args = given.flatMap(word =>
    /^-[avr]{2,}$/.test(word) && word !== '-vv' ? [...word.slice(1)].map(letter => `-${letter}`) : [word],
  );
  // Names after --list are those that are listed.
  const only = args.includes('--list') ? args.filter(argument => !argument.startsWith('-')) : [];
  const options = args.filter(argument => !only.includes(argument));
  const isList = options.every(argument =>
    ['-v', '-vv', '--verbose', '-a', '--all', '--list', '-r', '--show-current'].includes(argument),
  );
  if (args.includes('--datasets'))
    throw new Error('native Dolt shows under which names it stores things: branch --datasets');
  if (!isList) {
    await explaining(call(database, 'dolt_branch', args), message =>
      message.replace(
        /^branch '(.*)' is not fully merged$/,
        "$&. If you are sure you want to delete it, run 'varve branch -D $1'",
      ),
    );
    return 0;
  }
  const [current] = (await database.query('SELECT active_branch() AS name')).rows;
  if (args.includes('--show-current')) {
    await output.out(`${current?.name}\n`);
    return 0;
  }
  const rows: Row[] = [];
  if (!args.includes('-r')) rows.push(...(await branchRows(database, 'dolt_branches')));
  if (args.includes('-a') || args.includes('--all') || args.includes('-r')) {
    rows.push(...(await branchRows(database, 'dolt_remote_branches')));
  }
  const isVerbose = args.some(argument => ['-v', '-vv', '--verbose'].includes(argument));
  const listed = only.length === 0 ? rows : rows.filter(({ name }) => only.includes(String(name)));
  const width = Math.max(0, ...listed.map(row => String(row.name).length));
  for (const row of listed) {
    const isCurrent = row.name === current?.name;
    const name = paint(String(row.name), 'green', useColor && isCurrent);
    const gap = ' '.repeat(width - String(row.name).length);
    const more = isVerbose ? `${gap} ${row.hash} ${row.latest_commit_message}` : '';
    await output.out(`${isCurrent ? '*' : ' '} ${name}${more}\n`);
  }
  return 0;
}

async function branchRows(database: Database, table: string): Promise<readonly Row[]> {
  return (await database.query(`SELECT name, hash, latest_commit_message FROM ${table} ORDER BY name`)).rows;
}

/** What is not committed goes along, as long as it overwrites nothing there. */
export async function checkout({ database, source, args, output }: Invocation): Promise<number> {
  if (args.length === 0) throw new UsageError('checkout takes a BRANCH, -b NAME, or TABLEs');
  const told = await call(database, 'dolt_checkout', ['--move', ...args]).catch((error: Error) => {
    // The hint is in the words of SQL.
    error.message = error.message.replace(/CALL DOLT_CHECKOUT\('(.*)', '-b', <.*>\)/, 'varve checkout $1 -b NAME');
    if (!/overwrite uncommitted changes on target branch/.test(error.message)) throw error;
    const branch = args.find(argument => !argument.startsWith('-')) ?? '';
    throw new Error(
      `error: There are uncommitted changes on both branches, and those on this one would overwrite those on '${branch}'. ` +
        'Commit or reset them first, here or there, or say -f to overwrite',
    );
  });
  if (told.message) await output.out(`${told.message}\n`);
  await rememberBranch(database, source);
  return 0;
}

export async function rememberBranch(database: Database, source: string): Promise<void> {
  const [current] = (await database.query('SELECT active_branch() AS name')).rows;
  if (current?.name) writeBranch(source, database.name, String(current.name));
}

/** The session of SQL forgets its branch; the directory remembers it, as native Dolt's command line has it. */
function writeBranch(source: string, name: string, branchName: string): void {
  const found = [source, join(source, name)].map(root => join(root, '.dolt/repo_state.json')).find(existsSync);
  if (found === undefined) return;
  const state = JSON.parse(readFileSync(found, 'utf8')) as Record<string, unknown>;
  const head = `refs/heads/${branchName}`;
  if (state.head === head) return;
  writeFileSync(`${found}.new`, JSON.stringify({ ...state, head }, null, 2));
  renameSync(`${found}.new`, found);
}
