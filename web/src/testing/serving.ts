/** `varve serve` in the process of a test. */
import { afterAll } from 'vitest';
import type { Databases } from '../node/serve/databases.ts';
import { type RunningServer, type ServeOptions, serve } from '../node/serve/server.ts';

export const SERVICE = 'dolt.services.remotesapi.v1alpha1.ChunkStoreService';
const OPTIONS: ServeOptions = { host: '127.0.0.1', port: 0, user: null, origins: [], tls: null };

/** Starts servers, which end with the tests of the file. */
export function servers(): (databases: Databases, options?: Partial<ServeOptions>) => Promise<string> {
  const running: RunningServer[] = [];
  afterAll(async () => {
    for (const server of running.reverse()) await server.close();
  });
  return async (databases, options = {}) => {
    const server = await serve(databases, { ...OPTIONS, ...options });
    running.push(server);
    return `http://127.0.0.1:${server.port}`;
  };
}

/** Calls a procedure of the remotesapi, in JSON. */
export function call(
  url: string,
  procedure: string,
  message: object,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${url}/${SERVICE}/${procedure}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(message),
  });
}
