import type { CoreMessage } from '../protocol/index.ts';

/** Starts a worker as `open` does: it fetches and compiles the engine. */
export function startWorker(): Worker {
  return new Worker(new URL('../host/worker.ts', import.meta.url), { type: 'module', name: 'varve' });
}

/** Starts a worker whose engine the page compiles. Where that fails the worker tries by itself, and says what is wrong. */
export function startWorkerWith(core: Promise<WebAssembly.Module>): Worker {
  const worker = new Worker(new URL('../host/worker.ts', import.meta.url), { type: 'module', name: 'varve-of-page' });
  const bring = (module: WebAssembly.Module | null) =>
    worker.postMessage({ kind: 'core', module } satisfies CoreMessage);
  core.then(bring, () => bring(null));
  return worker;
}
