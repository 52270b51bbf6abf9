/** The public types of remotes. */
import type { Stats } from '../../protocol/index.ts';
import type { StatementOptions } from '../types.ts';
import type { AskCredentials } from '../wire/connection.ts';
import type { MergeResult } from './version_types.ts';

/** Where branches are pushed to and fetched from. */
export interface Remote {
  readonly name: string;
  readonly url: string;
}

/** How far a copy from or to a remote is. */
export interface RemoteProgress {
  /** Chunks that were copied so far. */
  readonly chunks: number;
  readonly bytes: number;
  /** All bytes that are copied; 0 where that is not known. */
  readonly bytesTotal: number;
  /** What the network was asked for, since the database was opened. */
  readonly requests: Stats['requests'];
  readonly bytesFetched: Stats['bytesFetched'];
}

export interface RemoteOptions extends StatementOptions {
  /** Name of the remote: by default the one that the branch follows, else `origin`. */
  readonly remote?: string | undefined;
  /** User name for remotes that require one; the password comes from DOLT_REMOTE_PASSWORD. */
  readonly user?: string | undefined;
  /** Called a few times a second. */
  readonly onProgress?: ((progress: RemoteProgress) => void) | undefined;
}

export interface FetchOptions extends RemoteOptions {
  /** Branches, or refspecs such as `main:refs/remotes/origin/main`; all branches by default. */
  readonly refs?: readonly string[] | undefined;
  /** Removes remote-tracking branches whose branches are gone. */
  readonly prune?: boolean | undefined;
}

/** A remote-tracking branch, as `origin/main`, that became another commit; null where there is none. */
export interface TrackingUpdate {
  readonly name: string;
  readonly from: string | null;
  readonly to: string | null;
}

export interface FetchResult {
  readonly outcome: 'fetched' | 'up_to_date';
  readonly updates: readonly TrackingUpdate[];
}

export interface PullOptions extends RemoteOptions {
  /** The branch there; by default the one that the current branch follows. */
  readonly branch?: string | undefined;
  /** `no` always makes a commit, `only` refuses to make one. */
  readonly fastForward?: 'no' | 'only' | undefined;
  readonly squash?: boolean | undefined;
}

export type PullResult = Omit<MergeResult, 'hash'>;

export interface PushOptions extends RemoteOptions {
  /** Branches, tags, or refspecs: `main:release`, and `:gone` to delete a branch there. The current branch by default. */
  readonly refs?: readonly string[] | undefined;
  /** All branches. */
  readonly all?: boolean | undefined;
  /** Replaces what is there, whatever it is: commits that are only there are lost. */
  readonly force?: boolean | undefined;
  /** The branches that are pushed follow those of the remote from then on. */
  readonly setUpstream?: boolean | undefined;
}

/** What became of one name of the remote. */
export interface PushedRef {
  readonly from: string;
  readonly to: string;
  readonly outcome: 'pushed' | 'deleted' | 'rejected';
}

export interface PushResult {
  /** `rejected`: the remote has commits that are not here: pull first, then push again. Other names may have been pushed. */
  readonly outcome: 'pushed' | 'up_to_date' | 'rejected';
  readonly reason: 'non_fast_forward' | null;
  /** Those that changed, or were to. */
  readonly refs: readonly PushedRef[];
  /** Native Dolt's. */
  readonly message: string;
}

export interface CloneOptions extends StatementOptions {
  /** The branch that is checked out; `main` by default. */
  readonly branch?: string | undefined;
  /** Leaves the other branches out. */
  readonly singleBranch?: boolean | undefined;
  /** So many commits of the branch, without what came before them. */
  readonly depth?: number | undefined;
  /**
   * The clone is ready after its names: rows come from the remote when they are needed, and stay in the cache. `completeClone` brings the
   * rest.
   */
  readonly lazy?: boolean | undefined;
  /** What the remote is called in the clone; `origin` by default. */
  readonly remote?: string | undefined;
  readonly user?: string | undefined;
  /** As of `open`, for the clone and for the database that is opened. */
  readonly credentials?: AskCredentials | undefined;
  readonly onProgress?: ((progress: RemoteProgress) => void) | undefined;
}

/** Where the rest of a lazy clone is. */
export interface LazyClone {
  readonly url: string;
  /** Of the files there that have it; some of them may be here already. */
  readonly remoteBytes: number;
}

export interface CompleteOptions extends StatementOptions {
  readonly onProgress?: ((progress: RemoteProgress) => void) | undefined;
}

/** Where a clone is made: a directory that has no database yet. */
export type CloneTarget =
  /** Node only. */
  { readonly path: string } | { readonly opfs: string };

/** Remotes in types; all of it can be done in SQL as well. */
export interface Remotes {
  /** In the order of their names. */
  remotes(options?: StatementOptions): Promise<readonly Remote[]>;
  addRemote(name: string, url: string, options?: StatementOptions): Promise<void>;
  /** Its remote-tracking branches go with it. */
  removeRemote(name: string, options?: StatementOptions): Promise<void>;
  /** Brings what is new in a remote here, without changing a branch. */
  fetch(options?: FetchOptions): Promise<FetchResult>;
  /** Fetches, and merges into the current branch. Conflicts are no error, as of `merge`. */
  pull(options?: PullOptions): Promise<PullResult>;
  /** A push that is rejected is no error. */
  push(options?: PushOptions): Promise<PushResult>;
  /** Whether the current database is a lazy clone. */
  lazyClone(options?: StatementOptions): Promise<LazyClone | null>;
  /**
   * Brings what a lazy clone still lacks of all that its branches and tags lead to. Where it ends early, the next one goes on. Of a database
   * that lacks nothing it does nothing.
   */
  completeClone(options?: CompleteOptions): Promise<void>;
}
