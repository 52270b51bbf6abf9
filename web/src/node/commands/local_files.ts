/** LOAD DATA LOCAL INFILE on the command line. */
import type { StatementOptions } from '../../client/index.ts';

const LOAD = /\bLOAD\s+DATA\s+(?:LOW_PRIORITY\s+|CONCURRENT\s+)?LOCAL\s+INFILE\s+'((?:[^'\\]|''|\\.)*)'/i;

/** The file that a LOAD DATA LOCAL names: a statement on the command line may read the user's own files. */
export function localFiles(sql: string): Pick<StatementOptions, 'files'> {
  const quoted = LOAD.exec(sql)?.[1];
  if (quoted === undefined) return {};
  const path = quoted.replace(/''|\\(.)/g, (_whole, escaped?: string) => escaped ?? "'");
  return { files: { [path]: { path } } };
}
