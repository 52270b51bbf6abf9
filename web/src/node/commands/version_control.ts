/** The commands that change versions, in Dolt's words: their arguments are those of the procedures of the same names. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, type Row, SqlError } from '../../client/index.ts';
import { conflicts, constraints } from './conflicts.ts';
import { printDiff } from './diff.ts';
import { diffOptions, diffRequest } from './diff_arguments.ts';
import { type Decorate, dateText, decorateOf, printCommit } from './log.ts';
import { statText } from './log_stat.ts';
import { type Output, printResult, UsageError } from './output.ts';
import { reflog } from './reflog.ts';
import { cherryPick, rebase, revert } from './rewriting.ts';
import { stash } from './stash.ts';

export interface Invocation {
  readonly database: Database;
  /** As it was given on the command line. */
  readonly source: string;
  readonly args: readonly string[];
  readonly output: Output;
  readonly useColor: boolean;
}

export async function call(database: Database, procedure: string, args: readonly string[]): Promise<Row> {
  const { rows } = await database.query(`CALL ${procedure}(${args.map(() => '?').join(', ')})`, args);
  return rows[0] ?? {};
}

export async function hashOf(database: Database, ref: string): Promise<string> {
  const { rows } = await database.query('SELECT dolt_hashof(?) AS hash', [ref]);
  return String(rows[0]?.hash ?? '');
}

async function add({ database, args }: Invocation): Promise<number> {
  await call(database, 'dolt_add', args);
  return 0;
}

async function commit({ database, args, output, useColor }: Invocation): Promise<number> {
  const told = await call(database, 'dolt_commit', args);
  if (told.hash) await printCommit(database, 'HEAD', useColor, output, 'short');
  else await output.out('Skipping empty commit\n');
  return 0;
}

async function branch({ database, args: given, output }: Invocation): Promise<number> {
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
  if (!isList) {
    await call(database, 'dolt_branch', args);
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
    const mark = row.name === current?.name ? '*' : ' ';
    const more = isVerbose ? ` ${row.hash} ${row.latest_commit_message}` : '';
    await output.out(`${mark} ${isVerbose ? String(row.name).padEnd(width) : row.name}${more}\n`);
  }
  return 0;
}

async function branchRows(database: Database, table: string): Promise<readonly Row[]> {
  return (await database.query(`SELECT name, hash, latest_commit_message FROM ${table} ORDER BY name`)).rows;
}

/** What is not committed goes along, as long as it overwrites nothing there. */
async function checkout({ database, source, args, output }: Invocation): Promise<number> {
  const told = await call(database, 'dolt_checkout', ['--move', ...args]).catch((error: Error) => {
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

async function merge({ database, args, output, useColor }: Invocation): Promise<number> {
  if (args.includes('--abort')) {
    await call(database, 'dolt_merge', args);
    return 0;
  }
  const before = await hashOf(database, 'HEAD');
  await keepConflicts(database);
  const told = await call(database, 'dolt_merge', args);
  const message = String(told.message ?? '');
  const after = await hashOf(database, 'HEAD');
  if (Number(told.fast_forward)) await output.out('Fast-forward\n');
  const [merged = 'HEAD'] = withoutOptions(args);
  const theirs = await hashOf(database, merged);
  if (theirs !== before) await output.out(`Updating ${after}..${theirs}\n`);
  if (/up.to.date|is ahead of b already/i.test(message)) {
    await output.out('Everything up-to-date\n');
    return 0;
  }
  if (args.includes('--squash')) await output.out('Squash commit -- not updating HEAD\n');
  if (Number(told.conflicts)) {
    const { rows } = await database.query('SELECT `table` AS name FROM dolt_conflicts');
    for (const { name } of rows) {
      await output.out(`Auto-merging ${name}\nCONFLICT (content): Merge conflict in ${name}\n`);
    }
    await output.out(`Automatic merge failed; ${rows.length} table(s) are unmerged.\n`);
    await output.out("Use 'dolt conflicts' to investigate and resolve conflicts.\n");
    return 1;
  }
  const isHeld = args.includes('--no-commit') && after === before;
  if (isHeld) await output.out('Automatic merge went well; stopped before committing as requested\n');
  if (!Number(told.fast_forward) && after !== before) await printCommit(database, 'HEAD', useColor, output, 'short');
  if (!isHeld && after === before) return 0;
  const changes = await statText(database, before, isHeld ? 'STAGED' : after, useColor);
  await output.out(changes.replace(/^ /gm, ''));
  return 0;
}

/** Conflicts stay in the working set for the next command, instead of failing this one. */
export async function keepConflicts(database: Database): Promise<void> {
  await database.query('SET @@dolt_allow_commit_conflicts = 1, @@dolt_force_transaction_commit = 1');
}

/** Options whose value is the next word. */
const WITH_VALUE = new Set(['-m', '--message', '--author', '--date']);

function withoutOptions(args: readonly string[]): readonly string[] {
  return args.filter((word, index) => !word.startsWith('-') && !WITH_VALUE.has(args[index - 1] ?? ''));
}

async function reset({ database, args, output }: Invocation): Promise<number> {
  await call(database, 'dolt_reset', args);
  if (args.includes('--hard')) return 0;
  const { rows } = await database.query(
    "SELECT table_name, status FROM dolt_status WHERE NOT staged AND status <> 'new table'",
  );
  if (rows.length > 0) await output.out('Unstaged changes after reset:\n');
  for (const row of rows) await output.out(`${row.status === 'deleted' ? 'D' : 'M'}\t${row.table_name}\n`);
  return 0;
}

/** Takes tables out of what is tracked, and away unless that is all that is wanted. */
async function remove({ database, args, output }: Invocation): Promise<number> {
  const tables = args.filter(word => !word.startsWith('-'));
  if (tables.length === 0) throw new UsageError('rm takes TABLEs');
  await call(database, 'dolt_rm', args);
  const isKept = args.includes('--cached');
  for (const table of tables) await output.out(isKept ? `removed '${table}' from tracking\n` : `dropped '${table}'\n`);
  return 0;
}

async function tag({ database, args, output }: Invocation): Promise<number> {
  const isVerbose = args.length === 1 && (args[0] === '-v' || args[0] === '--verbose');
  if (args.length > 0 && !isVerbose) {
    await call(database, 'dolt_tag', args);
    return 0;
  }
  for await (const row of database.stream('SELECT * FROM dolt_tags ORDER BY tag_name').rows()) {
    await output.out(isVerbose ? `${row.tag_name}\t${row.tag_hash}\n` : `\t${row.tag_name}\n`);
    if (!isVerbose) continue;
    const message = row.message ? `\t${String(row.message).replaceAll('\n', '\n\t')}\n\n` : '';
    await output.out(
      `Tagger: ${row.tagger} <${row.email}>\nDate:   ${dateText(String(row.date), Math.floor)}\n\n${message}`,
    );
  }
  return 0;
}

async function diff({ database, args, output, useColor }: Invocation): Promise<number> {
  await printDiff(database, await diffRequest(database, args, useColor), output);
  return 0;
}

async function show({ database, args, output, useColor }: Invocation): Promise<number> {
  const rest: string[] = [];
  let withParents = false;
  let decorate: Decorate = 'auto';
  for (let index = 0; index < args.length; index++) {
    const argument = args[index] as string;
    if (argument === '--parents') withParents = true;
    else if (argument === '--decorate') decorate = decorateOf(args[++index]);
    else if (argument.startsWith('--decorate=')) decorate = decorateOf(argument.slice('--decorate='.length));
    else rest.push(argument);
  }
  const { words, ...asked } = diffOptions(rest, 'show');
  for (const ref of words.length === 0 ? ['HEAD'] : words) {
    for await (const { hash, parents } of database.log({ from: ref, limit: 1 })) {
      await printCommit(database, hash, useColor, output, decorate, withParents);
      const [parent] = parents;
      if (parents.length > 1) {
        const reason =
          "requested commit is a merge commit. 'dolt show' currently only supports viewing non-merge commits";
        output.error(`${reason}\n`);
        return 1;
      }
      if (parent === undefined) continue;
      await printDiff(database, { ...asked, from: parent, to: hash, tables: [], useColor }, output);
    }
  }
  return 0;
}

async function blame({ database, args, output }: Invocation): Promise<number> {
  const [table, ref] = [args.at(-1), args.at(-2)];
  if (table === undefined || args.length > 2) throw new UsageError('blame takes a TABLE, and a COMMIT before it');
  const at = ` AS OF '${(ref ?? 'HEAD').replaceAll("'", "''")}'`;
  const rows = database.stream(`SELECT * FROM \`dolt_blame_${table.replaceAll('`', '``')}\`${at}`);
  await printResult(rows, 'table', output).catch((error: unknown) => {
    if (!(error instanceof SqlError)) throw error;
    throw new SqlError(error.errno, error.sqlstate, error.message.replace('dolt_blame_', ''));
  });
  return 0;
}

/** One that says nothing when it is done. */
function procedure(name: string) {
  return async ({ database, args }: Invocation): Promise<number> => {
    await call(database, name, args);
    return 0;
  };
}

async function mergeBase({ database, args, output }: Invocation): Promise<number> {
  if (args.length !== 2) throw new UsageError('merge-base takes two COMMITs');
  const { rows } = await database.query('SELECT dolt_merge_base(?, ?) AS hash', args);
  await output.out(`${rows[0]?.hash}\n`);
  return 0;
}

/** By name. */
export const VERSION_CONTROL: ReadonlyMap<string, (invocation: Invocation) => Promise<number>> = new Map(
  Object.entries({
    add,
    commit,
    branch,
    checkout,
    merge,
    conflicts,
    constraints,
    'cherry-pick': cherryPick,
    rebase,
    reflog,
    revert,
    rm: remove,
    reset,
    tag,
    diff,
    show,
    blame,
    stash,
    clean: procedure('dolt_clean'),
    gc: procedure('dolt_gc'),
    'merge-base': mergeBase,
  }),
);
