/** `varve reflog`: earlier positions of branches and tags. */
import type { Database } from '../../../client/index.ts';
import { paint } from '../../render/color.ts';
import { hashOf, type Invocation } from '../call.ts';
import { UsageError } from '../output.ts';

/** What branches and tags were, newest first; also of those that are gone. */
export async function reflog({ database, args, output, useColor }: Invocation): Promise<number> {
  if (args.filter(word => !word.startsWith('-')).length > 1) throw new UsageError('reflog takes one REF');
  const head = await hashOf(database, 'HEAD');
  const yellow = (text: string): string => paint(text, 'yellow', useColor);
  for await (const { ref, commit_hash, commit_message } of changes(database, args)) {
    const [, kind, name = ''] = /^refs\/(heads|tags|\w+)\/(.*)$/s.exec(String(ref)) ?? [];
    const shown = kind === 'tags' ? `tag: ${name}` : name || String(ref);
    const mark = commit_hash === head ? paint('HEAD -> ', 'cyanBold', useColor) : '';
    const told = mark + paint(shown, kind === 'tags' ? 'yellow' : 'greenBold', useColor);
    await output.out(`${yellow(String(commit_hash))} ${yellow('(')}${told}${yellow(')')} ${commit_message}\n`);
  }
  return 0;
}

function changes(database: Database, args: readonly string[]) {
  const sql = `SELECT ref, commit_hash, commit_message FROM dolt_reflog(${args.map(() => '?').join(', ')})`;
  return database.stream(sql, args).rows();
}
