/** `rebase`: the commits of this branch once more, on top of another one. */
import type { Database, Row } from '../../../client/index.ts';
import { type Edit, withoutComments } from '../../editor.ts';
import { call, hashOf, type Invocation } from '../call.ts';
import { rememberBranch } from './branches.ts';

/**
 * Repeats the commits of this branch on top of another one. At a terminal the plan of `-i` is edited at once; elsewhere it waits in
 * `dolt_rebase`, for SQL to change it and `--continue`. So it does behind a commit with conflicts.
 */
export async function rebase(invocation: Invocation): Promise<number> {
  const { database, source, args, output, edit } = invocation;
  const isInteractive = args.some(word => word === '-i' || word === '--interactive');
  try {
    // Behind the first call HEAD is another one.
    const plan = edit !== undefined && isInteractive ? await beginPlan(invocation) : undefined;
    let told = await call(database, 'dolt_rebase', args);
    if (plan !== undefined && edit !== undefined) told = await followPlan(database, plan, edit);
    await output.out(`${told.message}\n`);
  } finally {
    await rememberBranch(database, source);
  }
  return 0;
}

/** Hashes: what is put onto what. */
interface Plan {
  readonly head: string;
  readonly upstream: string;
}

async function beginPlan({ database, args }: Invocation): Promise<Plan> {
  const upstream = args.findLast(word => !word.startsWith('-')) ?? 'HEAD';
  return { head: await hashOf(database, 'HEAD'), upstream: await hashOf(database, upstream) };
}

interface PlannedStep {
  readonly action: string;
  readonly hash: string;
  readonly message: string;
}

/** A plan that is emptied, or cannot be read, ends the rebase as if it had not begun. */
async function followPlan(database: Database, plan: Plan, edit: Edit): Promise<Row> {
  let steps: readonly PlannedStep[];
  try {
    const planned = await stepsOf(database);
    steps = stepsIn(await edit(planText(planned, plan)), planned);
  } catch (error) {
    await call(database, 'dolt_rebase', ['--abort']);
    throw error;
  }
  if (steps.length === 0) return call(database, 'dolt_rebase', ['--abort']);
  await database.query('DELETE FROM dolt_rebase');
  for (const [index, { action, hash, message }] of steps.entries()) {
    await database.query('INSERT INTO dolt_rebase VALUES (?, ?, ?, ?)', [index + 1, action, hash, message]);
  }
  return call(database, 'dolt_rebase', ['--continue']);
}

async function stepsOf(database: Database): Promise<PlannedStep[]> {
  const { rows } = await database.query('SELECT * FROM dolt_rebase ORDER BY rebase_order');
  return rows.map(row => ({
    action: String(row.action),
    hash: String(row.commit_hash),
    message: String(row.commit_message),
  }));
}

const ACTIONS = ['pick', 'drop', 'edit', 'reword', 'squash', 'fixup'];

const onOneLine = (message: string): string => message.replaceAll('\n', ' ');

/** A step a line, and what may be done with them. */
function planText(steps: readonly PlannedStep[], { head, upstream }: Plan): string {
  const lines = steps.map(({ action, hash, message }) => `${action} ${hash} ${onOneLine(message)}\n`).join('');
  return `${lines}
# Rebase ${upstream}..${head} onto ${upstream} (${steps.length} commands)
#
# Commands:
# p, pick <commit> = use commit
# d, drop <commit> = remove commit
# e, edit <commit> = use commit, but stop for amending
# r, reword <commit> = use commit, with the message on its line
# s, squash <commit> = use commit, but meld into previous commit
# f, fixup <commit> = like "squash", but discard this commit's message
# These lines can be re-ordered; they are executed from top to bottom.
#
# If you remove a line here THAT COMMIT WILL BE LOST.
#
# However, if you remove everything, the rebase will be aborted.
#
`;
}

/** The steps of an edited plan. A message of several lines, which the plan has on one, stays as it is unless that was changed. */
function stepsIn(text: string, planned: readonly PlannedStep[]): PlannedStep[] {
  const lines = withoutComments(text).split('\n');
  return lines.flatMap((line, index) => {
    const [word = '', hash = '', ...words] = line.trim().split(/ +/);
    if (word === '') return [];
    const action = ACTIONS.find(known => known === word || known[0] === word);
    if (action === undefined) throw new Error(`line ${index + 1}: unknown action in rebase plan: ${word}`);
    if (hash === '') throw new Error(`line ${index + 1}: ${word} wants a commit`);
    const message = words.join(' ');
    const known = planned.find(step => step.hash === hash)?.message;
    return [{ action, hash, message: known !== undefined && onOneLine(known) === message ? known : message }];
  });
}
