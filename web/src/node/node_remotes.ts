import { openRemote, type Transports } from '../host/remotes/open_remote.ts';
import type { OpenedRemote, RemoteContext, RemoteRequest } from '../host/remotes/remote_types.ts';
import { openFileRemote } from './file_remote.ts';

/** Transports of Node alone. */
const OWN: Transports = { file: openFileRemote };

export function openNodeRemote(request: RemoteRequest, context: RemoteContext): Promise<OpenedRemote> {
  return openRemote(request, context, OWN);
}
