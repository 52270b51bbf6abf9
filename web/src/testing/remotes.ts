/** Remotes without an engine. */
import { MemoryScratchStore, Scratch } from '../host/files/scratch.ts';
import { noTraffic } from '../host/files/source.ts';
import type { Credentials, OpenedRemote, RemoteContext } from '../host/remotes/remote_types.ts';
import { ThreadNetwork } from '../node/network.ts';

/** What a host lends to a transport, without a cache. */
export function remoteContext(credentials: Credentials | null = null): RemoteContext {
  const scratch = new Scratch(new MemoryScratchStore());
  return {
    canSuspend: false,
    network: () => new ThreadNetwork(),
    traffic: noTraffic(),
    options: {},
    openCache: null,
    cacheBytes: undefined,
    scratch: () => scratch.open(),
    lockTimeoutMs: 10_000,
    credentials: async () => credentials,
  };
}

/** Does what waits for the host, as the scheduler does: prepares, and makes the call again. */
export async function settled<T>(remote: OpenedRemote, call: () => T): Promise<T> {
  for (;;) {
    try {
      return call();
    } catch (error) {
      if ((error as { kind?: string }).kind !== 'wait') throw error;
      await remote.directory.writes?.prepare();
    }
  }
}

export async function taken(remote: OpenedRemote): Promise<void> {
  while (!remote.directory.writes?.take()) await remote.directory.writes?.prepare();
}
