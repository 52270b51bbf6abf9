/// <reference lib="esnext.disposable" preserve="true" />
/** The public types of version control. */
import type { Param, Queries, Result, Row, StatementOptions } from '../types.ts';

export interface Commit {
  readonly hash: string;
  readonly message: string;
  readonly author: string;
  readonly email: string;
  /** The author's, in UTC, as `2026-11-21 10:34:57.123`. */
  readonly date: string;
  readonly parents: readonly string[];
}

export interface LogOptions extends StatementOptions {
  /** Where to begin, or a range such as `main..feature`; HEAD by default. */
  readonly from?: string | undefined;
  readonly limit?: number | undefined;
  /** Only commits that changed one of these tables. */
  readonly tables?: readonly string[] | undefined;
}

export interface Branch {
  readonly name: string;
  readonly hash: string;
  readonly isCurrent: boolean;
  /** Whether its working set differs from its last commit. */
  readonly isDirty: boolean;
}

export interface DiffOptions extends StatementOptions {
  /** All that changed by default. */
  readonly table?: string | undefined;
  /** A condition over `from_…` and `to_…` columns and `diff_type`, such as `to_price > from_price`. */
  readonly where?: string | undefined;
}

/** One row that differs. `R` is its type, as in `query`. */
export type Change<R extends object = Row> =
  | { readonly table: string; readonly kind: 'added'; readonly from: null; readonly to: R }
  | { readonly table: string; readonly kind: 'removed'; readonly from: R; readonly to: null }
  | { readonly table: string; readonly kind: 'modified'; readonly from: R; readonly to: R };

export interface CommitOptions extends StatementOptions {
  readonly message: string;
  /** Stages first: `true` all tables, `tracked` those that are in HEAD. Default `true`. */
  readonly all?: boolean | 'tracked' | undefined;
  readonly amend?: boolean | undefined;
  readonly allowEmpty?: boolean | undefined;
  /** `Name <email>`. */
  readonly author?: string | undefined;
  /** ISO 8601. */
  readonly date?: string | undefined;
}

export interface MergeOptions extends StatementOptions {
  readonly message?: string | undefined;
  readonly author?: string | undefined;
  /** `no` always makes a commit, `only` refuses to make one. */
  readonly fastForward?: 'no' | 'only' | undefined;
  readonly squash?: boolean | undefined;
}

export interface MergeResult {
  /** `conflicts`: the merge waits in the working set until they are resolved and committed, or it is aborted. */
  readonly outcome: 'merged' | 'up_to_date' | 'conflicts';
  /** Of the merge commit; empty when there is none. */
  readonly hash: string;
  readonly isFastForward: boolean;
  readonly message: string;
  readonly conflicts: readonly TableConflicts[];
}

/** What two sides did differently to a table. */
export interface TableConflicts {
  readonly table: string;
  /** Rows in conflict. */
  readonly count: number;
  readonly isOfSchema: boolean;
  readonly violations: number;
}

/** A row that both sides changed; null where a side has none. */
export interface Conflict {
  readonly table: string;
  /** Names the conflict in `dolt_conflicts_TABLE`. */
  readonly id: string;
  readonly base: Row | null;
  readonly ours: Row | null;
  readonly theirs: Row | null;
}

/** How one conflict ends: with the row of a side, or with one of its own; null for no row. */
export type Resolution =
  | { readonly id: string; readonly take: 'ours' | 'theirs' }
  | { readonly id: string; readonly row: Readonly<Record<string, Param>> | null };

/** The database at a commit, branch or tag, to be read. */
export interface View extends Queries, AsyncDisposable {
  readonly ref: string;
  close(): Promise<void>;
}

/** A transaction: what is asked of it is committed at its end, or not at all. */
export type Transaction = Queries;

export interface TransactionOptions {
  /** How often to retry after a concurrent change of the same rows (error 1213). Default 0. */
  readonly retries?: number | undefined;
  /**
   * `serializable`: as if run alone. Where another transaction has changed a table that its statements name, on the same branch, it fails with
   * 1213 (and is run again), also where both made the same of a row. By default such rows agree.
   */
  readonly isolation?: 'serializable' | undefined;
  /** It only reads. */
  readonly readOnly?: boolean | undefined;
}

/** A query that is asked again when what it reads has changed. */
export interface LiveQuery extends AsyncDisposable {
  /** Asks now, whether or not something has changed: other processes on the disk do not announce what they commit. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

export interface LiveOptions {
  /** Ends the query, as `close` does; before its first result, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  readonly params?: Parameters<Queries['query']>[1] | undefined;
  /**
   * Hears of a failed evaluation, and of what the callback throws after the first time; the query lives on. It hears of the engine's end,
   * too, which is the query's.
   */
  readonly onError?: ((error: unknown) => void) | undefined;
  /**
   * With `false` the whole result is not asked for when the changed rows are known: then an evaluation costs what has changed,
   * and the callback gets null for it. Default `true`.
   */
  readonly whole?: boolean | undefined;
}

/**
 * Gets the result, and the rows of it that came, went and changed since the last call (in no order); null where that is not
 * known, see `live`.
 */
export type LiveCallback<R extends object = Row> = (result: Result<R>, changes: readonly Change<R>[] | null) => void;
export type LiveChangesCallback<R extends object = Row> = (
  result: Result<R> | null,
  changes: readonly Change<R>[] | null,
) => void;

/** Version control in types; all of it can be done in SQL as well. */
export interface Versions {
  /** Commits, newest first. */
  log(options?: LogOptions): AsyncIterableIterator<Commit>;
  branches(options?: StatementOptions): Promise<readonly Branch[]>;
  /** The database as it was or is at a commit, branch, tag or revision such as `main~2`: cheap, in a session of its own. */
  at(ref: string): Promise<View>;
  /** Rows that differ between two commits, branches, tags, `STAGED` or `WORKING`, as they are found. */
  diff<R extends object = Row>(from: string, to: string, options?: DiffOptions): AsyncIterableIterator<Change<R>>;
  /** Gives the hash of the new commit. */
  commit(options: CommitOptions | string): Promise<string>;
  /** Merges into the current branch. Conflicts are no error: they are in the result, and can be resolved. */
  merge(branch: string, options?: MergeOptions): Promise<MergeResult>;
  abortMerge(options?: StatementOptions): Promise<void>;
  /** The rows of a table that are in conflict. */
  conflicts(table: string, options?: StatementOptions): AsyncIterableIterator<Conflict>;
  /** Takes one side for all conflicts of some tables, or of all. */
  resolve(take: 'ours' | 'theirs', tables?: readonly string[], options?: StatementOptions): Promise<void>;
  /** Resolves single conflicts of a table with a primary key: all that are given, or none. */
  resolveRows(table: string, resolutions: readonly Resolution[], options?: StatementOptions): Promise<void>;
  /** Runs `work` in a session and a transaction of its own. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * Asks a query now, and again whenever a table that it reads has another root hash, by whichever tab: `callback` gets every
   * result, and which of its rows are others.
   *
   * The changed rows are known for a query over one table with a primary key: `SELECT … FROM t [WHERE …] [ORDER BY …]`. There is
   * no call when no row of the result is another. Only the whole result is given (`changes` is null) the first time and after
   * `refresh`; for joins, groups, aggregates, DISTINCT, LIMIT, subqueries, views, system tables, variables and functions of the
   * moment such as NOW(); for tables without a key; when the definition of the table has changed, when more than 1,000 rows
   * of it have, and when what was there before has been collected as garbage.
   */
  live<R extends object = Row>(
    sql: string,
    callback: LiveCallback<R>,
    options?: LiveOptions & { readonly whole?: true },
  ): Promise<LiveQuery>;
  live<R extends object = Row>(
    sql: string,
    callback: LiveChangesCallback<R>,
    options: LiveOptions & { readonly whole: false },
  ): Promise<LiveQuery>;
}
