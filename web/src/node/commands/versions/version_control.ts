/** The commands that change versions, in Dolt's words: their arguments are those of the procedures of the same names. */

import { paint } from '../../render/color.ts';
import { call, explaining, type Invocation, mergeBaseOf, procedure, wordsOf } from '../call.ts';
import { blame, diff, show } from '../diff/show.ts';
import { docs } from '../docs.ts';
import { dateText } from '../log/log.ts';
import { reflog } from '../log/reflog.ts';
import { printResult, UsageError } from '../output.ts';
import { schema } from '../schema.ts';
import { ls } from '../tables.ts';
import { branch, checkout } from './branches.ts';
import { commit } from './commit.ts';
import { conflicts, constraints } from './conflicts.ts';
import { merge } from './merge.ts';
import { rebase } from './rebase.ts';
import { backup, complete, pull, push, remote } from './remote.ts';
import { cherryPick, revert } from './rewriting.ts';
import { stash } from './stash.ts';

async function add({ database, args }: Invocation): Promise<number> {
  if (args.includes('-p') || args.includes('--patch'))
    throw new Error(
      'add stages whole tables; single rows with SQL: UPDATE dolt_workspace_TABLE SET staged = 1 WHERE …',
    );
  await call(database, 'dolt_add', args);
  return 0;
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

async function tag({ database, args, output, useColor }: Invocation): Promise<number> {
  const isVerbose = args.length === 1 && (args[0] === '-v' || args[0] === '--verbose');
  if (args.length > 0 && !isVerbose) {
    const verb = args.some(word => word === '-d' || word === '--delete') ? 'delete' : 'create';
    await explaining(
      call(database, 'dolt_tag', args),
      message => `failed to ${verb} tag ${wordsOf(args)[0] ?? ''}: ${message}`,
    );
    return 0;
  }
  for await (const row of database.stream('SELECT * FROM dolt_tags ORDER BY tag_name').rows()) {
    const head = isVerbose ? paint(`${row.tag_name}\t${row.tag_hash}`, 'yellow', useColor) : `\t${row.tag_name}`;
    await output.out(`${head}\n`);
    if (!isVerbose) continue;
    const message = row.message ? `\t${String(row.message).replaceAll('\n', '\n\t')}\n\n` : '';
    await output.out(
      `Tagger: ${row.tagger} <${row.email}>\nDate:   ${dateText(String(row.date), Math.floor)}\n\n${message}`,
    );
  }
  return 0;
}

async function mergeBase({ database, args, output }: Invocation): Promise<number> {
  if (args.length !== 2) throw new UsageError('merge-base takes two COMMITs');
  await output.out(`${await mergeBaseOf(database, String(args[0]), String(args[1]))}\n`);
  return 0;
}

/** Rows that are in the answer of one query alone. */
async function queryDiff({ database, args, output }: Invocation): Promise<number> {
  if (args.length !== 2) throw new UsageError('query-diff takes two queries');
  await printResult(database.stream('SELECT * FROM dolt_query_diff(?, ?)', args), 'table', output);
  return 0;
}

/** By name. */
export const VERSION_CONTROL: ReadonlyMap<string, (invocation: Invocation) => Promise<number>> = new Map(
  Object.entries({
    add,
    backup,
    commit,
    branch,
    checkout,
    merge,
    conflicts,
    constraints,
    'cherry-pick': cherryPick,
    rebase,
    reflog,
    remote,
    revert,
    rm: remove,
    reset,
    tag,
    diff,
    show,
    blame,
    stash,
    clean: procedure('dolt_clean'),
    complete,
    fetch: procedure('dolt_fetch'),
    gc: procedure('dolt_gc'),
    'merge-base': mergeBase,
    pull,
    push,
    ls,
    schema,
    docs,
    'query-diff': queryDiff,
  }),
);
