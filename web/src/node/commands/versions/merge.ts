/** `varve merge`. */
import type { Database } from '../../../client/index.ts';
import { call, hashOf, type Invocation, wordsOf } from '../call.ts';
import { printCommit } from '../log/log.ts';
import { statText } from '../log/log_stat.ts';
import type { Output } from '../output.ts';

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
  const [merged = 'HEAD'] = wordsOf(args);
  const theirs = await hashOf(database, merged);
  if (theirs !== before) await output.out(`Updating ${after}..${theirs}\n`);
  if (/up.to.date|is ahead of b already/i.test(message)) {
    await output.out('Everything up-to-date\n');
    return 0;
  }
  if (args.includes('--squash')) await output.out('Squash commit -- not updating HEAD\n');
  if (Number(told.conflicts)) return printUnmerged(database, output);
  const isHeld = args.includes('--no-commit') && after === before;
  if (isHeld) await output.out('Automatic merge went well; stopped before committing as requested\n');
  // With --no-ff native Dolt tells the changes alone.
  if (!Number(told.fast_forward) && after !== before && !args.includes('--no-ff'))
    await printCommit(database, 'HEAD', useColor, output, 'short');
  if (!isHeld && after === before) return 0;
  const changes = await statText(database, before, isHeld ? 'STAGED' : after, useColor);
  await output.out(changes.replace(/^ /gm, ''));
  return 0;
}

/** Which tables the merge could not decide on, and what is to be done. */
async function printUnmerged(database: Database, output: Output): Promise<number> {
  const [ofRows, ofSchemas, violations] = await Promise.all([
    namesIn(database, 'SELECT `table` AS name FROM dolt_conflicts WHERE num_conflicts > 0'),
    namesIn(database, 'SELECT table_name AS name FROM dolt_schema_conflicts'),
    namesIn(database, 'SELECT `table` AS name FROM dolt_constraint_violations'),
  ]);
  const unmerged = [...new Set([...ofRows, ...ofSchemas, ...violations])].sort();
  for (const name of unmerged) {
    await output.out(`Auto-merging ${name}\n`);
    if (ofRows.includes(name)) await output.out(`CONFLICT (content): Merge conflict in ${name}\n`);
    if (ofSchemas.includes(name)) await output.out(`CONFLICT (schema): Merge conflict in ${name}\n`);
    if (violations.includes(name))
      await output.out(`CONSTRAINT VIOLATION (content): Merge created constraint violation in ${name}\n`);
  }
  await output.out(`Automatic merge failed; ${unmerged.length} table(s) are unmerged.\n`);
  const hasConflicts = ofRows.length + ofSchemas.length > 0;
  if (hasConflicts && violations.length > 0)
    await output.out('Fix conflicts and constraint violations and then commit the result.\n');
  if (hasConflicts) await output.out("Use 'dolt conflicts' to investigate and resolve conflicts.\n");
  else await output.out(OF_VIOLATIONS);
  return 1;
}

const OF_VIOLATIONS = `Fix constraint violations and then commit the result.
Constraint violations for the working set may be viewed using the 'dolt_constraint_violations' system table.
They may be queried and removed per-table using the 'dolt_constraint_violations_TABLENAME' system table.
`;

async function namesIn(database: Database, sql: string): Promise<string[]> {
  return (await database.query(sql)).rows.map(({ name }) => String(name));
}
