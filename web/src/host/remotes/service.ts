/** Remotes over Dolt's remotesapi (gRPC). */
import { ObjectDirectory } from './object_directory.ts';
import type { OpenedRemote, RemoteContext, RemoteRequest } from './remote_types.ts';
import { type ServiceChannel, ServiceTransport } from './service_transport.ts';

/** Opens a database of a remotesapi. */
export async function openService(
  request: RemoteRequest,
  context: RemoteContext,
  channel: ServiceChannel,
): Promise<OpenedRemote> {
  const transport = await ServiceTransport.connect(request, context, channel);
  const directory = await ObjectDirectory.open(transport, context);
  return {
    directory,
    assertsWorkingSet: transport.assertsWorkingSet,
    interrupt: () => directory.interrupt(),
    close: () => directory.close(),
  };
}
