/** `varve fsck`: verification of all files. */
import { type Database, type Problem, VarveError, type Verification } from '../../client/index.ts';
import { paint } from '../render/color.ts';
import { ownControl } from '../render/terminal.ts';
import type { Output } from './output.ts';

export interface FsckCall {
  /** Those of the source that are looked at; all by default. */
  readonly database: string | undefined;
  readonly isQuiet: boolean;
  readonly useColor: boolean;
}

/** Looks whether the files are whole, and says so in native Dolt's forms; 1 where they are not. */
export async function fsck(open: () => Promise<Database>, call: FsckCall, output: Output): Promise<number> {
  let database: Database;
  try {
    database = await open();
  } catch (error) {
    if (!(error instanceof VarveError)) throw error;
    return refused(error.message, output);
  }
  try {
    let status = 0;
    for (const { message } of database.unreadable) status = refused(message, output);
    tellLosses(database, output);
    const names = call.database === undefined ? database.databases : [call.database];
    for (const name of names) {
      if (names.length > 1) await output.out(`\n${name}:\n`);
      const onProgress = progressOf(call.isQuiet || output.isTerminal !== true, output);
      const found = await database.verify({ database: name, onProgress });
      await output.out(report(found, call.useColor));
      if (!found.isWhole) status = 1;
    }
    return status;
  } finally {
    await database.close();
  }
}

/** What the end of a journal has lost: it opens at its last whole root. */
export function tellLosses({ storage }: Database, output: Output): void {
  for (const { message } of storage.warnings) output.error(`varve: warning: ${message}\n`);
}

function refused(message: string, output: Output): number {
  output.error(`Could not open dolt database: ${message}\n`);
  return 1;
}

function progressOf(isHidden: boolean, output: Output) {
  if (isHidden) return undefined;
  return ({ chunks, chunksTotal }: { readonly chunks: number; readonly chunksTotal: number }): void => {
    const percent = ((100 * chunks) / chunksTotal).toFixed(1);
    const end = chunks === chunksTotal ? '\n' : '';
    output.error(`${ownControl('\r')}Scanning chunks: ${chunks}/${chunksTotal} (${percent}% complete)${end}`);
  };
}

function report(found: Verification, useColor: boolean): string {
  const lines: string[] = [];
  const section = (title: string, problems: readonly Problem[], line: (problem: Problem) => string): void => {
    if (problems.length === 0) return;
    lines.push(paint(`============ ${title} ============`, 'red', useColor), ...problems.map(line));
  };
  section('Corrupt Chunks', found.problems.filter(isOfFile), withAddress);
  section(
    'Commit Errors',
    found.problems.filter(({ owner }) => owner !== null),
    ({ owner, table, message }) => `::${kindOf(owner)}${owner}:${table === null ? '' : ` table ${table}:`} ${message}`,
  );
  const told = found.problems.length;
  if (found.problemCount > told) lines.push(`… and ${found.problemCount - told} more`);
  lines.push('============ Summary ============', `Refs found: ${found.refs}`);
  const { commits, reachableCommits, chunks, reachableChunks } = found;
  lines.push(
    `Commit objects found: ${commits} (${reachableCommits} reachable from branches/tags/stashes, ${commits - reachableCommits} unreachable)`,
    `Chunks reachable from branches/tags/stashes/working sets: ${reachableChunks} (unreachable: ${chunks - reachableChunks})`,
  );
  const files = new Map<string, number>();
  for (const { file } of found.problems.filter(isOfFile)) {
    const name = file?.split('/').at(-1) ?? '';
    files.set(name, (files.get(name) ?? 0) + 1);
  }
  if (files.size > 0) lines.push('Files with corruption:');
  for (const [file, count] of files) lines.push(`  ${file}: ${count} problem(s)`);
  lines.push('Chunk type breakdown:', ...Object.entries(found.kinds).map(([kind, count]) => `  ${kind}: ${count}`));
  if (found.isWhole) lines.push('No problems found.');
  else if (found.problemCount === 0) {
    lines.push(
      `No problems found in what is here. This is a lazy clone: ${found.chunksElsewhere} chunks, and what they lead to, are only in its remote; \`varve complete\` fetches them.`,
    );
  }
  return `${lines.join('\n')}\n`;
}

/** A name says itself what it is. */
function kindOf(owner: string | null): string {
  return /^[0-9a-v]{32}$/.test(owner ?? '') ? 'commit:' : '';
}

function withAddress({ address, message }: Problem): string {
  return address === null || message.includes(address) ? message : `Chunk: ${address} ${message}`;
}

/** What a scan of the files finds, whatever needs it. */
function isOfFile({ flaw, file }: Problem): boolean {
  return flaw === 'damaged' || flaw === 'unreadable' || (flaw === 'missing' && file !== null);
}
