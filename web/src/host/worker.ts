/** The worker that `open()` starts: a host, its engine, and what a browser can open. */
import init, * as glue from '#core';
import type { CoreMessage, LifeMessage, Request } from '../protocol/index.ts';
import { openBrowserFile, openBrowserSource } from './files/browser_source.ts';
import { sharesHandles } from './files/opfs.ts';
import { openOpfsScratchStore, Scratch } from './files/scratch.ts';
import type { HostPlatform } from './host.ts';
import { HostImports } from './imports.ts';
import { pauseByMessage } from './pause.ts';
import { TabHost } from './tabs/tab_host.ts';
import { type Core, canSuspend, WasmEngine } from './wasm_engine.ts';
import type { WasmExports } from './wasm_exports.ts';

const imports = new HostImports();

/** Takes what the page has compiled. */
let takeCore: (module: WebAssembly.Module | null) => void = () => {};

/** Compiles while the worker's first message is on its way, or waits for the page, which has begun to before there was a worker. */
const compiled: Promise<WebAssembly.Module | null> =
  name === 'varve-of-page'
    ? new Promise(resolve => {
        takeCore = resolve;
      })
    : Promise.resolve(null);
const loading: Promise<Core> = compiled.then(async module => {
  const exports = await init(module === null ? undefined : { module_or_path: module });
  imports.memory = exports.memory;
  glue.connectHost(imports);
  return { exports: exports as unknown as WasmExports, glue, imports };
});
// Whoever opens a database hears of it.
loading.catch(() => {});

// In private windows of some browsers there is none: then temporary files stay in memory.
openOpfsScratchStore().then(
  store => {
    imports.scratch = new Scratch(store);
  },
  () => {},
);

const platform: HostPlatform = {
  openSource: openBrowserSource,
  startEngine: async options => new WasmEngine(await loading, options),
  openLocal: openBrowserFile,
  canSuspend: canSuspend(),
  pause: pauseByMessage(),
  onTrap: () => imports.panicMessage,
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
