import { open } from '../lib/index.ts';
import { mountConsole } from './app/mount.tsx';

/** @param takeWorker gives a worker whose engine is compiled, or is about to be */
export function begin(host: HTMLElement, takeWorker: () => Worker): void {
  mountConsole(host, (source, options) => open(source, { ...options, worker: takeWorker() }));
}
