import type { Failure, FailureCode, OpenProgress, Storage, WireSource } from '../../protocol/index.ts';
import type { HostDirectory, HostFile } from './file.ts';
import { databaseRoots, TreeDirectory } from './tree.ts';

/** A source whose files are open: what the engine attaches. */
export interface OpenedSource {
  readonly storage: Storage;
  readonly databases: readonly { readonly name: string; readonly directory: HostDirectory }[];
  /** What the network was asked for; null for local sources. */
  readonly traffic: Traffic | null;
  /** Ends a read that the engine waits for: a statement is cancelled. Where reads block there is nothing to end. */
  interrupt?(): void;
  close(): void;
}

/** HTTP requests made and bytes received. */
export interface Traffic {
  requests: number;
  bytes: number;
}

/** @param canSuspend whether the engine's stack can be suspended while bytes come from the network. */
export type OpenSource = (
  source: WireSource,
  canSuspend: boolean,
  onProgress: (progress: OpenProgress) => void,
) => Promise<OpenedSource>;

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
