import { call, hashOf, type Invocation, mergeBaseOf } from './call.ts';
import { printCommit } from './log.ts';
import { statText } from './log_stat.ts';

/** Joins another branch to this one. Conflicts stay in the working set for the next command. */
export async function merge({ database, args, output, useColor }: Invocation): Promise<number> {
  if (args.includes('--abort')) {
    await call(database, 'dolt_merge', args);
    return 0;
  }
  const before = await hashOf(database, 'HEAD');
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
  // Of a commit that only --no-ff makes native Dolt tells the changes alone.
  const isForced = args.includes('--no-ff') && (await mergeBaseOf(database, before, theirs)) === before;
  if (!Number(told.fast_forward) && after !== before && !isForced)
    await printCommit(database, 'HEAD', useColor, output, 'short');
  if (!isHeld && after === before) return 0;
  const changes = await statText(database, before, isHeld ? 'STAGED' : after, useColor);
  await output.out(changes.replace(/^ /gm, ''));
  return 0;
}

/** Options whose value is the next word. */
const WITH_VALUE = new Set(['-m', '--message', '--author', '--date']);

function withoutOptions(args: readonly string[]): readonly string[] {
  return args.filter((word, index) => !word.startsWith('-') && !WITH_VALUE.has(args[index - 1] ?? ''));
}
