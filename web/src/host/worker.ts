/** The worker that `open()` starts: a host, its engine, and what a browser can open. */
import init, * as glue from '#core';
import type { CoreMessage, LifeMessage, Request } from '../protocol/index.ts';
import { openBrowserFile, openBrowserSource } from './files/browser_source.ts';
import { sharesHandles } from './files/opfs/opfs.ts';
import { openOpfsCache } from './files/opfs/opfs_cache.ts';
import { xhrNetwork } from './files/remote/xhr.ts';
import { MemoryScratchStore, openOpfsScratchStore, Scratch } from './files/scratch.ts';
import type { HostPlatform } from './host.ts';
import { pauseByMessage } from './pause.ts';
import { blobReach } from './reach.ts';
import { TabHost } from './tabs/tab_host.ts';
import { Core } from './wasm/core.ts';
import { HostImports } from './wasm/imports.ts';
import { canSuspend, WasmEngine } from './wasm/wasm_engine.ts';
import { effectOf, type WasmExports } from './wasm/wasm_exports.ts';

let scratch: Scratch | null = null;
let core: Promise<Core> | null = null;

/** Takes what the page has compiled. */
let takeCore: (module: WebAssembly.Module | null) => void = () => {};

/** Compiles while the worker's first message is on its way, or waits for the page, which has begun to before there was a worker. */
const compiled: Promise<WebAssembly.Module | null> =
  name === 'varve-of-page'
    ? new Promise(resolve => {
        takeCore = resolve;
      })
    : Promise.resolve(null);
core = compiled.then(async module => coreOf(await init(module === null ? undefined : { module_or_path: module })));
// Opening a database reports it.
core.catch(() => {});

function coreOf(exports: unknown): Core {
  const imports = new HostImports();
  if (scratch !== null) imports.scratch = scratch;
  return new Core(exports as WasmExports, glue, imports, () => {
    core = null;
  });
}

/** The instance that there is, or the next one. */
async function loadCore(): Promise<Core> {
  core ??= Promise.resolve(coreOf(glue.initSync({ module: glue.compiledModule })));
  return core;
}

// In private windows of some browsers there is none: then temporary files stay in memory.
openOpfsScratchStore().then(
  store => {
    scratch = new Scratch(store);
    core?.then(
      ({ imports }) => {
        if (scratch !== null) imports.scratch = scratch;
      },
      () => {},
    );
  },
  () => {},
);

/** Where the browser gives no storage for temporary files. */
const inMemory = new Scratch(new MemoryScratchStore());

const platform: HostPlatform = {
  openSource: openBrowserSource,
  startEngine: async options => new WasmEngine(await loadCore(), options, loadCore),
  openLocal: openBrowserFile,
  remotes: {
    open: async (request, context) => {
      const { openBrowserRemote } = await import('./remotes/browser_remotes.ts');
      return openBrowserRemote(request, context);
    },
    network: () => xhrNetwork,
    openCache: openOpfsCache,
    scratch: () => (scratch ?? inMemory).open(),
    credentials: async () => null,
  },
  loadEffects: async () => {
    const { glue } = await loadCore();
    return sql => effectOf(glue, sql);
  },
  canSuspend: canSuspend(),
  pause: pauseByMessage(),
  reach: blobReach,
  reply: (message, transfer) => postMessage(message, transfer),
};
const host = new TabHost(platform, !sharesHandles());

/** Resolves when the page will notice the end of this worker: nothing is begun before, so that nothing is waited for in vain. */
let noticed: Promise<void> = Promise.resolve();

/** Without an origin there are no locks: then the page hears nothing, and waits for none. */
function liveUnder(life: LifeMessage): Promise<void> {
  return new Promise(resolve => {
    const hold = () => {
      postMessage(life);
      resolve();
      return new Promise<never>(() => {});
    };
    navigator.locks.request(life.lock, hold).catch(() => resolve());
  });
}

addEventListener('message', event => {
  const message = event.data as Request | CoreMessage | LifeMessage;
  if (message.kind === 'core') takeCore(message.module);
  else if (message.kind === 'life') noticed = liveUnder(message);
  else noticed.then(() => host.take(message)).catch(reportError);
});
