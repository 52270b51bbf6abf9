/** What opens the directory of a remote, and what it is given. */
import type { Credentials, CredentialsRequest } from '../../protocol/index.ts';
import type { HostDirectory, HostFile } from '../files/file.ts';
import type { BlockingNetwork, GetOptions } from '../files/remote/http.ts';
import type { OpenPageCache } from '../files/remote/remote_cache.ts';
import type { Traffic } from '../files/source.ts';

export type { Credentials, CredentialsRequest };

/** The remote that a statement names. */
export interface RemoteRequest {
  /** With its scheme, as `dolt_remotes` lists it. */
  readonly url: string;
  /** Of `--user`; the password comes from `credentials`. */
  readonly user: string | null;
  /** Whether it is made where it is not there: for a push or a backup. */
  readonly create: boolean;
  /** The list of a lazy clone: these files are read, and nothing else; the remote is asked for nothing before one of them is needed. */
  readonly pinned?: string | undefined;
}

/** What the host lends to a transport. */
export interface RemoteContext {
  /** Whether the engine's stack can be suspended while bytes come from the network: then a directory may suspend. */
  readonly canSuspend: boolean;
  /** A network that blocks, for engines that cannot be suspended; the transport closes it with its directory. */
  network(): BlockingNetwork;
  /** Counted for the statement at work. */
  readonly traffic: Traffic;
  /** Timeouts, and the signal that ends requests when the database is closed. */
  readonly options: GetOptions;
  /** Where pages of immutable files stay; null where nothing is kept. */
  readonly openCache: OpenPageCache | null;
  readonly cacheBytes: number | undefined;
  /** A temporary file, for what is to be uploaded; `release` gives it back. */
  scratch(): HostFile;
  /** How long a call waits for the lock of a remote; may be Infinity. */
  readonly lockTimeoutMs: number;
  /** Asks the page, or the environment. Null: go on without. */
  credentials(request: CredentialsRequest): Promise<Credentials | null>;
}

/** A remote whose directory has the layout of a `file://` remote: `manifest`, `<id>`, `<id>.darc` (docs/format/store.md, section 8). */
export interface OpenedRemote {
  readonly directory: HostDirectory;
  /** A pusher has to check that the branch's working set there is clean, and to move it with the branch: databases that are in use. */
  readonly assertsWorkingSet?: boolean;
  /** Ends a read that the engine waits for: a statement is cancelled. */
  interrupt?(): void;
  /** The statement is over, or the database is closed. */
  close(): void | Promise<void>;
}

/**
 * Opens a remote. One that is empty has a directory without a manifest.
 *
 * @throws HostFailure or FileFault, with the URL in its message, what was expected and what to do.
 */
export type OpenRemote = (request: RemoteRequest, context: RemoteContext) => Promise<OpenedRemote>;
