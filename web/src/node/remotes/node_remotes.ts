/** Remotes of Node: `file://`, HTTP, gRPC, S3. */
import { httpRemotes } from '../../host/remotes/http_remote.ts';
import { openRemote, type Transports } from '../../host/remotes/open_remote.ts';
import type { OpenedRemote, RemoteContext, RemoteRequest } from '../../host/remotes/remote_types.ts';
import { openFileRemote } from './file_remote.ts';

const openHttp = httpRemotes(async () => (await import('./grpc_channel.ts')).grpcChannel);

/** Transports of Node alone. */
const OWN: Transports = { file: openFileRemote, http: openHttp, https: openHttp };

export function openNodeRemote(request: RemoteRequest, context: RemoteContext): Promise<OpenedRemote> {
  return openRemote(request, context, OWN);
}
