/** The commands that make other commits of those that are there: pick and revert. */
import type { Row } from '../../../client/index.ts';
import { call, hashOf, type Invocation } from '../call.ts';
import { printCommit } from '../log/log.ts';

const PICK_FAILED = `error: Unable to apply commit cleanly due to conflicts or constraint violations. Please resolve the conflicts and/or constraint violations, then use \`dolt add\` to add the tables to the staged set, and \`dolt cherry-pick --continue\` to complete the cherry-pick.
To undo all changes from this cherry-pick operation, use \`dolt cherry-pick --abort\`.
For more information on handling conflicts, see: https://dolthub.com/docs/concepts/dolt/git/conflicts
`;

/** Repeats the changes of a commit. Conflicts wait in the working set for `--continue` or `--abort`. */
export async function cherryPick({ database, args, output, useColor }: Invocation): Promise<number> {
  const before = await hashOf(database, 'HEAD');
  const told = await call(database, 'dolt_cherry_pick', args);
  if (areLeft(told)) {
    output.error(PICK_FAILED);
    return 1;
  }
  if ((await hashOf(database, 'HEAD')) !== before) await printCommit(database, 'HEAD', useColor, output, 'short');
  return 0;
}

/** Undoes the changes of commits, in new ones. */
export async function revert({ database, args, output, useColor }: Invocation): Promise<number> {
  const before = await hashOf(database, 'HEAD');
  const told = await call(database, 'dolt_revert', args);
  if (args.includes('--abort')) await output.out('Revert aborted.\n');
  if (areLeft(told)) {
    const count = Number(told.data_conflicts) || Number(told.schema_conflicts) || Number(told.constraint_violations);
    const what = Number(told.data_conflicts)
      ? 'data conflicts'
      : Number(told.schema_conflicts)
        ? 'schema conflicts'
        : 'constraint violations';
    await output.out('Automatic revert failed; fix conflicts and then commit the result.\n');
    await output.out(`  ${count} table(s) have ${what}\n`);
    await output.out('hint: After resolving conflicts, mark them with "dolt add <table>"\n');
    await output.out('hint: and run "dolt revert --continue". To abort, run "dolt revert --abort".\n');
    return 1;
  }
  if ((await hashOf(database, 'HEAD')) !== before) await printCommit(database, 'HEAD', useColor, output, 'short');
  return 0;
}

function areLeft(told: Row): boolean {
  return ['data_conflicts', 'schema_conflicts', 'constraint_violations'].some(name => Number(told[name] ?? 0) > 0);
}
