/** Remotes of browsers: `opfs://`, picked folders, HTTP, S3. */
import { openFolderRemote } from './folder_remote.ts';
import { openOpfsRemote } from './handle_remote.ts';
import { openRemote, type Transports } from './open_remote.ts';
import type { OpenedRemote, RemoteContext, RemoteRequest } from './remote_types.ts';

/** Transports of browsers alone. */
const OWN: Transports = { opfs: openOpfsRemote, directory: openFolderRemote };

export function openBrowserRemote(request: RemoteRequest, context: RemoteContext): Promise<OpenedRemote> {
  return openRemote(request, context, OWN);
}
