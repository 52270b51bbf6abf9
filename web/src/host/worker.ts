/** The worker that `open()` starts: a host, its engine, and what a browser can open. */
import init, * as glue from '#core';
import type { CoreMessage, Request } from '../protocol/index.ts';
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

addEventListener('message', event => {
  const message = event.data as Request | CoreMessage;
  if (message.kind === 'core') takeCore(message.module);
  else host.take(message);
});
