/** Open sources: directories with their storage, and why they are read-only. */
import {
  type CacheState,
  type Failure,
  type FailureCode,
  messageOf,
  type OpenProgress,
  type Storage,
  type WireSource,
} from '../../protocol/index.ts';
import { FileFault, type HostDirectory, type HostFile } from './file.ts';
import type { Fetch } from './remote/http.ts';
import { databaseRoots, TreeDirectory } from './tree.ts';

/** A source whose files are open: what the engine attaches. */
export interface OpenedSource {
  readonly storage: Storage;
  readonly databases: readonly SourceDatabase[];
  /** What the network was asked for; null for local sources. */
  readonly traffic: Traffic | null;
  /** How the cache of a remote source is now. */
  cacheState?(): CacheState;
  /** Ends a read that the engine waits for: a statement is cancelled. Where reads block there is nothing to end. */
  interrupt?(): void;
  /**
   * Makes the directory of a new database beside the others, for CREATE DATABASE: without a store, which the engine writes.
   *
   * @throws HostFailure when the name cannot be one of a directory.
   */
  create?(name: string): Promise<SourceDatabase>;
  /**
   * Closes the files of a database and puts them aside, for DROP DATABASE; what cannot be done at once goes on behind.
   *
   * @param forGood it was never whole, and is not put aside.
   * @throws HostFailure or FileFault when it cannot be removed.
   */
  remove?(name: string, forGood: boolean): void;
  /** The databases that were put aside. */
  readonly dropped?: DroppedDatabases;
  /** Gives files and locks back; resolves when others can have them. */
  close(): void | Promise<void>;
}

/** Databases that were dropped: where native Dolt's server puts them, and brings them back from. */
export interface DroppedDatabases {
  list(): Promise<string[]>;
  /**
   * Puts one back where it was, and opens it.
   *
   * @param name in any case; none of the databases that are there has it.
   * @throws HostFailure when it is damaged, or something else is where it was.
   */
  restore(name: string): Promise<SourceDatabase | null>;
  /** Removes all of them for good. */
  purge(): Promise<void>;
}

export interface SourceDatabase {
  readonly name: string;
  readonly directory: HostDirectory;
}

/** HTTP requests made, bytes received, bytes that the cache on disk had instead, and waits. */
export interface Traffic {
  requests: number;
  bytes: number;
  cachedBytes: number;
  /** How often a reader waited for the network. */
  rounds: number;
  /** Bytes that may be received, of those that the statement at work may fetch. */
  limitBytes: number;
  /** Whether a read failed because of that. */
  isOverLimit: boolean;
}

export function noTraffic(): Traffic {
  return {
    requests: 0,
    bytes: 0,
    cachedBytes: 0,
    rounds: 0,
    limitBytes: Number.POSITIVE_INFINITY,
    isOverLimit: false,
  };
}

export interface OpenContext {
  /** Whether the engine's stack can be suspended while bytes come from the network. */
  readonly canSuspend: boolean;
  /** Nothing shall be written, even where it could be. */
  readonly readOnly: boolean;
  /** How long a call waits for the right to write; may be Infinity. */
  readonly lockTimeoutMs: number;
  /** How long a server may be silent; 30 s by default. */
  readonly networkTimeoutMs?: number | undefined;
  /** Sends ranged GETs in place of the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Whether an address that redirects is refused. */
  readonly refusesRedirects?: boolean | undefined;
  /** What the cache of remote bytes may grow to; 0 for none. */
  readonly cacheBytes?: number | undefined;
  /** Fires when opening is given up. */
  readonly signal?: AbortSignal | undefined;
  onProgress(progress: OpenProgress): void;
  /** Another tab has committed. */
  onMoved(): void;
  /** Another tab waits for the lock, which is kept for what is not committed yet. */
  onWanted?(): void;
}

export type OpenSource = (source: WireSource, context: OpenContext) => Promise<OpenedSource>;

/** Why a source of each kind cannot be written, and what to do about it. */
const READ_ONLY: Record<'directory' | 'files' | 'archive' | 'url', string> = {
  directory: 'A picked directory is read-only: copy it to this browser to edit it, then export it',
  files: 'Picked files are read-only: copy them to this browser to edit them',
  archive: 'Archives are read-only: unpack the archive, or copy it to where it can be edited',
  url: 'Databases on web servers are read-only: copy it to this browser to edit it',
};

/** What is known of the storage of a source that is only read. */
export function readOnlyStorage(kind: keyof typeof READ_ONLY, persistent: boolean): Storage {
  const readOnlyReason = READ_ONLY[kind];
  return {
    kind,
    readOnly: true,
    readOnlyReason,
    remote: kind === 'url',
    persistent,
    quota: null,
    warnings: [],
    cache: null,
    notRevalidated: null,
  };
}

/** What is known of the storage of a source that can be written, unless the caller asked for it only to be read. */
export function ownStorage(kind: 'opfs' | 'path' | 'memory' | 'archive', readOnly: boolean): Storage {
  const readOnlyReason = readOnly ? 'It was opened with readOnly' : null;
  const persistent = kind === 'opfs' || kind === 'path';
  return {
    kind,
    readOnly,
    readOnlyReason,
    remote: false,
    persistent,
    quota: null,
    warnings: [],
    cache: null,
    notRevalidated: null,
  };
}

/** A name of a database that can be one of a directory on any system. */
export function checkDatabaseName(name: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  if (/^[^/\\:*?"<>|\u0000-\u001f]+$/.test(name) && !name.startsWith('.') && name.length <= 64) return;
  throw hostFailure('usage', `${name} cannot be the name of a database`);
}

/** The names of databases that were dropped by those that they had: one that was dropped before stays beside the next one. */
export function nameOfEarlier(name: string): string {
  return `${name}.backup.${Date.now()}`;
}

/** The name among others that is the same in some case. */
export function inAnyCase(name: string, names: readonly string[]): string | undefined {
  return names.find(known => known.toLowerCase() === name.toLowerCase());
}

/** Something is where a database that was dropped has to go. */
export function inTheWay(name: string): HostFailure {
  return hostFailure(
    'usage',
    `unable to undrop database '${name}'; another database already exists with the same case-insensitive name`,
  );
}

/** What was put aside is no database. */
export function missingStore(): HostFailure {
  return hostFailure('not_a_database', 'missing dolt data directory');
}

/** Anything that the host tells the client as it is. */
export class HostFailure extends Error {
  override readonly name = 'HostFailure';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

export function hostFailure(code: FailureCode, message: string): HostFailure {
  return new HostFailure({ kind: 'varve', code, message });
}

/** A failure in the form that the engine takes. */
export function asFault(error: unknown): FileFault {
  if (error instanceof FileFault) return error;
  const code = error instanceof HostFailure && error.failure.kind === 'varve' ? error.failure.code : null;
  const kind = code === 'no_space' || code === 'read_only' ? code : 'host';
  return new FileFault(kind, messageOf(error));
}

/**
 * A source made of open files.
 *
 * @param rootName name of a database at the top of the tree.
 */
export function treeSource(files: ReadonlyMap<string, HostFile>, rootName: string, storage: Storage): OpenedSource {
  const roots = databaseRoots(files.keys(), rootName);
  if (roots.length === 0) {
    throw hostFailure('not_a_database', 'There is no Dolt database here: no .dolt directory and no manifest was found');
  }
  return {
    storage,
    databases: roots.map(({ name, prefix }) => ({ name, directory: new TreeDirectory(files, prefix) })),
    traffic: null,
    close() {
      for (const file of files.values()) file.close();
    },
  };
}
