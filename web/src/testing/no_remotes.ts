import { hostFailure } from '../host/files/source.ts';
import type { RemotePlatform } from '../host/host.ts';

/** A platform that reaches no remotes. */
export const noRemotes: RemotePlatform = {
  open: async ({ url }) => {
    throw hostFailure('unsupported', `${url}: there are no remotes here`);
  },
  network: none,
  scratch: none,
  openCache: null,
  credentials: async () => null,
};

function none(): never {
  throw new Error('there is none here');
}
