/** Start of the worker beside the package. */
import type { CoreMessage } from '../protocol/index.ts';

/** Starts a worker whose engine the page compiles. Where that fails the worker tries by itself, and says what is wrong. */
export function startWorkerWith(core: Promise<WebAssembly.Module>): Worker {
  return bringCore(
    new Worker(new URL('../host/worker.ts', import.meta.url), { type: 'module', name: 'varve-of-page' }),
    core,
  );
}

/** @param worker by whose name it knows that it gets the engine. */
export function bringCore(worker: Worker, core: Promise<WebAssembly.Module>): Worker {
  const bring = (module: WebAssembly.Module | null) =>
    worker.postMessage({ kind: 'core', module } satisfies CoreMessage);
  core.then(bring, () => bring(null));
  return worker;
}
