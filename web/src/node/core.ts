/** The engine in Node: one compiled module per thread. */
import { readFileSync } from 'node:fs';
import { Scratch } from '../host/files/scratch.ts';
import { Core } from '../host/wasm/core.ts';
import { HostImports } from '../host/wasm/imports.ts';
import type { WasmExports } from '../host/wasm/wasm_exports.ts';
import { diskScratchStore } from './disk/scratch.ts';
import { engineAddress } from './engine_file.ts';

/** The instance in which whatever is opened in this thread lives, until it is retired. */
let loading: Promise<Core> | null = null;

/** What instances are made of. */
let compiling: Promise<{ readonly glue: typeof import('#core'); readonly module: WebAssembly.Module }> | null = null;

export const scratch = new Scratch(diskScratchStore());

export function loadCore(): Promise<Core> {
  loading ??= load();
  return loading;
}

async function compile(): Promise<{ readonly glue: typeof import('#core'); readonly module: WebAssembly.Module }> {
  const address = engineAddress();
  const module = await WebAssembly.compile(readFileSync(new URL('core_bg.wasm', address)));
  return { module, glue: (await import(address.href)) as typeof import('#core') };
}

async function load(): Promise<Core> {
  compiling ??= compile();
  const { glue, module } = await compiling;
  const imports = new HostImports();
  imports.readAsset = address => readFileSync(address);
  imports.fetchesAssets = false;
  imports.scratch = scratch;
  const exports = glue.initSync({ module }) as unknown as WasmExports;
  return new Core(exports, glue, imports, () => {
    loading = null;
  });
}
