/** `diff`, `show` and `blame`: what changed, and by which commit. */
import { SqlError } from '../../../client/index.ts';
import { quoteName, quoteText } from '../../../client/versions/versions.ts';
import type { Invocation } from '../call.ts';
import { type Decorate, decorateOf, printCommit } from '../log/log.ts';
import { printResult, UsageError } from '../output.ts';
import { printDiff } from './diff.ts';
import { diffOptions, diffRequest } from './diff_arguments.ts';

export async function diff({ database, args, output, useColor }: Invocation): Promise<number> {
  await printDiff(database, await diffRequest(database, args, useColor), output);
  return 0;
}

export async function show({ database, args, output, useColor }: Invocation): Promise<number> {
  const rest: string[] = [];
  let withParents = false;
  let decorate: Decorate = 'auto';
  for (let index = 0; index < args.length; index++) {
    const argument = args[index] as string;
    if (argument === '--no-pretty' || argument === 'WORKING' || argument === 'STAGED')
      throw new Error(
        `show takes commits; how ${argument === '--no-pretty' ? 'one' : argument} is stored native Dolt shows`,
      );
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

export async function blame({ database, args, output }: Invocation): Promise<number> {
  const [table, ref] = [args.at(-1), args.at(-2)];
  if (table === undefined || args.length > 2) throw new UsageError('blame takes a TABLE, and a COMMIT before it');
  const blamed = `${quoteName(`dolt_blame_${table}`)} AS OF ${quoteText(ref ?? 'HEAD')}`;
  const rows = database.stream(`SELECT * FROM ${blamed}`);
  await printResult(rows, 'table', output).catch((error: unknown) => {
    if (!(error instanceof SqlError)) throw error;
    throw new SqlError(error.errno, error.sqlstate, error.message.replace('dolt_blame_', ''));
  });
  return 0;
}
