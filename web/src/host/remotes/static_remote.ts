/** Remotes on static web servers, read-only. */
import { openUrl } from '../files/remote/url_source.ts';
import { hostFailure } from '../files/source.ts';
import type { OpenedRemote, RemoteContext, RemoteRequest } from './remote_types.ts';

/** Opens a remote on a web server that serves files: it is read, never written. */
export async function openStatic({ url }: RemoteRequest, context: RemoteContext): Promise<OpenedRemote> {
  const network = context.canSuspend ? null : context.network();
  const { options, traffic, openCache, cacheBytes, lockTimeoutMs, canSuspend } = context;
  try {
    const source = await openUrl(
      url,
      network,
      {
        canSuspend,
        readOnly: true,
        lockTimeoutMs,
        networkTimeoutMs: options.timeoutMs,
        refusesRedirects: options.refusesRedirects,
        fetch: options.fetch,
        signal: options.signal,
        cacheBytes,
        onProgress() {},
        onMoved() {},
      },
      openCache,
      traffic,
    );
    const [database] = source.databases;
    if (database === undefined) throw hostFailure('not_a_database', `There is no Dolt remote at ${url}`);
    return {
      directory: database.directory,
      interrupt: () => source.interrupt?.(),
      close: () => source.close(),
    };
  } catch (error) {
    network?.close();
    throw error;
  }
}
