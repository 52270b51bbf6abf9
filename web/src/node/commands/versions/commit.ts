/** `varve commit`. */
import { withoutComments } from '../../editor.ts';
import { call, explaining, type Invocation } from '../call.ts';
import { printCommit } from '../log/log.ts';
import { printStatus } from './status.ts';

/** Commits what is staged. At a terminal a message that is not given is asked for in the person's editor. */
export async function commit(invocation: Invocation): Promise<number> {
  const { database, args, output, useColor } = invocation;
  const told = await explaining(
    call(database, 'dolt_commit', [...args, ...(await messageAsked(invocation))]),
    message =>
      message.replace(
        /^error: the table\(s\) (.*) are in conflict$/,
        'tables [$1] have unresolved conflicts from the merge. resolve the conflicts before committing',
      ),
  );
  if (told.hash) await printCommit(database, 'HEAD', useColor, output, 'short');
  else await output.out('Skipping empty commit\n');
  return 0;
}

async function messageAsked(invocation: Invocation): Promise<readonly string[]> {
  const { args, edit } = invocation;
  const isGiven = args.some(word => /^-[^-]*m|^--message(=|$)/.test(word));
  if (edit === undefined || isGiven) return [];
  const message = withoutComments(await edit(await messageToEdit(invocation)));
  if (message === '') throw new Error('Aborting commit due to empty commit message.');
  return ['-m', message];
}

/** The message of the commit that is amended, and what there is to be committed, for the reader. */
async function messageToEdit({ database, args }: Invocation): Promise<string> {
  const isAmended = args.includes('--amend');
  const last = isAmended ? await database.query('SELECT message FROM dolt_log LIMIT 1') : undefined;
  let status = '';
  const out = (text: string): void => {
    status += text;
  };
  await printStatus(database, { out, error: out });
  const explained = `Please enter the commit message for your changes. Lines starting
with '#' will be ignored, and an empty message aborts the commit.
${status.trimEnd()}`;
  const lines = explained.split('\n').map(line => `# ${line}`.trimEnd());
  return `${last?.rows[0]?.message ?? ''}\n\n${lines.join('\n')}\n`;
}
