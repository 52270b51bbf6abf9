/** Remotes by the scheme of their URL. This module comes when a statement first names a remote. */
import { hostFailure } from '../files/source.ts';
import { httpRemotes } from './http_remote.ts';
import type { OpenedRemote, OpenRemote, RemoteContext, RemoteRequest } from './remote_types.ts';

/** Transports by scheme. */
export type Transports = Readonly<Record<string, OpenRemote>>;

const openHttp = httpRemotes(async () => (await import('./web_channel.ts')).webChannel);

/** Those of every platform. */
const SHARED: Transports = {
  http: openHttp,
  https: openHttp,
  s3: async (request, context) => (await import('./s3_transport.ts')).openS3(request, context),
};

/** @param own transports of the platform, in place of shared ones of the same scheme. */
export async function openRemote(
  request: RemoteRequest,
  context: RemoteContext,
  own: Transports,
): Promise<OpenedRemote> {
  const { pinned } = request;
  if (pinned !== undefined) {
    const { openPinned } = await import('./pinned_remote.ts');
    return openPinned(pinned, context, (plain, shared) => openRemote(plain, shared, own));
  }
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(request.url)?.[1]?.toLowerCase() ?? '';
  const transports = { ...SHARED, ...own };
  const open = Object.hasOwn(transports, scheme) ? transports[scheme] : undefined;
  if (open !== undefined) return open(request, context);
  const known = Object.keys(transports).map(known => `${known}://`);
  throw hostFailure('unsupported', `${request.url} cannot be reached from here: known are ${known.join(', ')}`);
}
