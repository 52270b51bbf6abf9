import { open } from '../lib/index.ts';
import { mountConsole } from './app/mount.tsx';
import { loadLexer } from './sql/lexer.ts';

/**
 * @param takeWorker gives a worker whose engine is compiled, or is about to be
 * @param lexer the module that reads SQL on the page
 */
export async function begin(host: HTMLElement, takeWorker: () => Worker, lexer: Promise<Response>): Promise<void> {
  await loadLexer(lexer);
  mountConsole(host, (source, options) => open(source, { ...options, worker: takeWorker() }));
}
