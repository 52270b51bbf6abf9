/** Open remotes of a host, by URL. */
import { FileFault, type HostDirectory } from '../files/file.ts';
import { asFault, type Traffic } from '../files/source.ts';
import type { OpenedRemote, RemoteRequest } from './remote_types.ts';

/** Opens a remote with what the platform and the source lend. */
export type OpenRemoteHere = (request: RemoteRequest) => Promise<OpenedRemote>;

/**
 * The remotes that statements of a source have open. The engine asks synchronously, transports open asynchronously: the first call throws a
 * FileFault of kind `wait`, `prepare` opens the remote, the next call has its directory.
 */
export class Remotes {
  readonly #open: OpenRemoteHere;
  /** Opened, or why not, by what was asked; each outcome is taken once. */
  readonly #outcomes = new Map<string, OpenedRemote | FileFault>();
  readonly #wanted = new Map<string, RemoteRequest>();
  readonly #used = new Map<HostDirectory, OpenedRemote>();
  #suspends = false;

  /** Of the source and its remotes. */
  readonly traffic: Traffic;

  constructor(open: OpenRemoteHere, traffic: Traffic) {
    this.#open = open;
    this.traffic = traffic;
  }

  /** Whether a directory of one suspends the engine's stack. Known before the engine has it. */
  get suspends(): boolean {
    return this.#suspends;
  }

  assertsWorkingSet(directory: HostDirectory): boolean {
    return this.#used.get(directory)?.assertsWorkingSet ?? false;
  }

  open(request: RemoteRequest): HostDirectory {
    const key = JSON.stringify([request.url, request.user, request.create, request.pinned]);
    const outcome = this.#outcomes.get(key);
    if (outcome === undefined) {
      this.#wanted.set(key, request);
      throw new FileFault('wait', 'the remote has to be opened first');
    }
    this.#outcomes.delete(key);
    if (outcome instanceof FileFault) throw outcome;
    this.#used.set(outcome.directory, outcome);
    return outcome.directory;
  }

  /** Opens what was asked for, and does what writes to open remotes wait for. */
  async prepare(): Promise<void> {
    for (const [key, request] of this.#wanted) {
      this.#wanted.delete(key);
      const outcome = await this.#open(request).catch(asFault);
      if (!(outcome instanceof FileFault)) this.#suspends ||= outcome.directory.suspends;
      this.#outcomes.set(key, outcome);
    }
    await Promise.all([...this.#used.keys()].map(directory => directory.writes?.prepare()));
  }

  interrupt(): void {
    for (const remote of this.#used.values()) remote.interrupt?.();
  }

  /** The engine is done with it. What fails now was told before. */
  release(directory: HostDirectory): void {
    const remote = this.#used.get(directory);
    this.#used.delete(directory);
    if (remote !== undefined) void Promise.resolve(remote.close()).catch(() => {});
  }

  async close(): Promise<void> {
    const outcomes = [...this.#outcomes.values()].filter(outcome => !(outcome instanceof FileFault));
    const open = [...this.#used.values(), ...(outcomes as OpenedRemote[])];
    this.#outcomes.clear();
    this.#used.clear();
    await Promise.all(open.map(remote => remote.close()));
  }
}
