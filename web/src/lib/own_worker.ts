/** The worker of a page: compiled once, started from the page's origin. */
import { VarveError } from '../client/index.ts';
import { messageOf } from '../protocol/index.ts';
import { bringCore, startWorkerWith } from './start_worker.ts';

/** The engine, which the page compiles while its first worker starts, and once for all of them. */
let core: Promise<WebAssembly.Module> | undefined;

function compileCore(): Promise<WebAssembly.Module> {
  core ??= WebAssembly.compileStreaming(fetch(new URL('../../../dist/wasm/core_bg.wasm', import.meta.url)));
  core.catch(() => {
    core = undefined;
  });
  return core;
}

/** A worker of the package, for the page that opens a database. @throws VarveError where there can be none. */
export function ownWorker(): Worker {
  if (typeof Worker !== 'function') {
    throw new VarveError(
      'unsupported',
      'Databases need a worker, and none can be started here (service worker or shared worker): open it in a page or a dedicated worker',
    );
  }
  try {
    return startWorkerWith(compileCore());
  } catch (error) {
    const isElsewhere = error instanceof DOMException && error.name === 'SecurityError';
    const own = isElsewhere ? startFromElsewhere(import.meta.url) : null;
    if (own !== null) return own;
    const what = isElsewhere
      ? "Browsers start workers only from the page's own origin: serve the package from there, or pass { worker } to open"
      : 'The worker could not be started';
    throw new VarveError('unsupported', `${what}: ${messageOf(error)}`);
  }
}

/** Where this code is in the package. */
const PACKAGED = '/lib/index.js';

/**
 * A page on another origin than the package (a page that imports it from another host, a sandboxed frame) may not start its worker, but
 * one of its own that imports that. Null when the package is not as it is: a bundler knows where its worker is, we do not.
 */
function startFromElsewhere(here: string): Worker | null {
  if (!here.endsWith(PACKAGED)) return null;
  const text = `import ${JSON.stringify(`${here.slice(0, -PACKAGED.length)}/host/worker.js`)};`;
  const type = 'text/javascript';
  // In a frame without an origin Chromium runs no module from a blob; one from data has no origin either, as the frame.
  const hasOrigin = globalThis.origin !== 'null';
  const address = hasOrigin
    ? URL.createObjectURL(new Blob([text], { type }))
    : `data:${type},${encodeURIComponent(text)}`;
  return bringCore(new Worker(address, { type: 'module', name: 'varve-of-page' }), compileCore());
}
