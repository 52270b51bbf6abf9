/** Remotes over HTTP: a Dolt service, or static files. */
import { messageOf } from '../../protocol/index.ts';
import { FileFault } from '../files/file.ts';
import { HostFailure, hostFailure } from '../files/source.ts';
import type { OpenedRemote, OpenRemote, RemoteContext, RemoteRequest } from './remote_types.ts';
import type { ServiceChannel } from './service_transport.ts';
import { openStatic } from './static_remote.ts';

/**
 * Remotes behind `http(s)://`: the files of one on a web server, or a remotesapi, which answers no request for `manifest`.
 *
 * @param channel comes when a service is first called
 */
export function httpRemotes(channel: () => Promise<ServiceChannel>): OpenRemote {
  const openService = async (request: RemoteRequest, context: RemoteContext): Promise<OpenedRemote> => {
    const [service, channelHere] = await Promise.all([import('./service.ts'), channel()]);
    return service.openService(request, context, channelHere);
  };
  return async (request, context) => {
    // Files on a web server are only read, by anybody.
    if (request.create || request.user !== null) return openService(request, context);
    try {
      return await openStatic(request, context);
    } catch (asFiles) {
      try {
        return await openService(request, context);
      } catch (asService) {
        // Where nothing answers, the same is not told twice.
        const isSilent = asService instanceof FileFault && messageOf(asFiles).includes('could not be fetched');
        if (isSilent || isService(asService)) throw asService;
        throw hostFailure('not_a_database', `${messageOf(asFiles)}. Nor is it a remotesapi: ${messageOf(asService)}`);
      }
    }
  };
}

/** Whether a service answered, though not as one would wish. */
function isService(error: unknown): boolean {
  return error instanceof HostFailure && error.failure.kind === 'varve' && error.failure.code !== 'unsupported';
}
