/** Remotes without an engine. */
import { MemoryScratchStore, Scratch } from '../host/files/scratch.ts';
import { noTraffic } from '../host/files/source.ts';
import type { Credentials, RemoteContext } from '../host/remotes/remote_types.ts';
import { ThreadNetwork } from '../node/network/network.ts';

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
