/** Whether a database is whole. */
import type { Queries, StatementOptions } from '../types.ts';

/**
 * `damaged`: bytes of a file are not what was written. `missing`: something leads to a chunk that no file has. `malformed`: a chunk is what was
 * written, and nothing that this version knows. `unreadable`: the file cannot be read there.
 */
export type Flaw = 'damaged' | 'missing' | 'malformed' | 'unreadable';

/** One thing that is wrong. */
export interface Problem {
  readonly flaw: Flaw;
  /** Of the chunk; null where it is about a file. */
  readonly address: string | null;
  /** In the directory of the database; null for what is in none. */
  readonly file: string | null;
  /** In bytes. */
  readonly offset: number | null;
  /**
   * What needs the chunk, the first that was found: the hash of a commit, or a name such as `workingSets/heads/main`, which is what is not committed on main.
   * Null where nothing does, so that nothing but space is lost.
   */
  readonly owner: string | null;
  /** The table of it that needs the chunk, where it is one. */
  readonly table: string | null;
  /** All of this in words. */
  readonly message: string;
}

/** What `verify` has found. */
export interface Verification {
  readonly isWhole: boolean;
  /** The first 1,000. */
  readonly problems: readonly Problem[];
  readonly problemCount: number;
  /** Branches, tags, stashes and branches of remotes. */
  readonly refs: number;
  /** Commits in the files, and those of them that the refs lead to. */
  readonly commits: number;
  readonly reachableCommits: number;
  /** Chunks in the files, and those of them that refs and working sets lead to. */
  readonly chunks: number;
  readonly reachableChunks: number;
  /** Of a lazy clone, chunks that what is here leads to and that are only in its remote. */
  readonly chunksElsewhere: number;
  /** How many chunks of each kind the files have, by the four letters that Dolt calls it. */
  readonly kinds: Readonly<Record<string, number>>;
}

export interface VerifyOptions extends StatementOptions {
  /** Which database, where the source holds several; the first by default. */
  readonly database?: string | undefined;
  readonly onProgress?: ((progress: VerifyProgress) => void) | undefined;
}

/** Chunks that were read, of all that the files have. What they lead to is looked at afterwards, which takes less long. */
export interface VerifyProgress {
  readonly chunks: number;
  readonly chunksTotal: number;
}

export async function verify(queries: Queries, database: string, options: VerifyOptions): Promise<Verification> {
  const { database: _, onProgress, ...statement } = options;
  const problems: Problem[] = [];
  const counts = new Map<string, number>();
  const lines = queries.stream<{ report: string }>('CALL varve_verify(?)', [database], statement);
  for await (const { report } of lines.rows()) {
    const [what, ...fields] = JSON.parse(report) as readonly [string | null, ...(string | null)[]];
    if (what === null) problems.push(problemOf(fields));
    else if (what === 'scanned') onProgress?.({ chunks: Number(fields[0]), chunksTotal: Number(fields[1]) });
    else counts.set(what, Number(fields[0]));
  }
  const { problems: problemCount = 0, refs = 0, commits = 0, ...others } = Object.fromEntries(counts);
  const { reachable_commits: reachableCommits = 0, reachable_chunks: reachableChunks = 0, ...more } = others;
  const { elsewhere: chunksElsewhere = 0, ...kinds } = more;
  const chunks = Object.values(kinds).reduce((sum, count) => sum + count, 0);
  const isWhole = problemCount === 0 && chunksElsewhere === 0;
  return {
    ...{ isWhole, problems, problemCount, refs, commits, reachableCommits },
    ...{ chunks, reachableChunks, chunksElsewhere, kinds },
  };
}

/** Of a line of the report that begins with null. */
function problemOf(fields: readonly (string | null)[]): Problem {
  const [flaw, address = null, file = null, offset = null, owner = null, table = null, message] = fields;
  const at = offset === null ? null : Number(offset);
  return { flaw: flaw as Flaw, address, file, offset: at, owner, table, message: message ?? '' };
}
