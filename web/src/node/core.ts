import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Scratch } from '../host/files/scratch.ts';
import { Core } from '../host/wasm/core.ts';
import { HostImports } from '../host/wasm/imports.ts';
import type { WasmExports } from '../host/wasm/wasm_exports.ts';
import { diskScratchStore } from './disk/scratch.ts';

/** The instance in which whatever is opened in this thread lives, until it is retired. */
let loading: Promise<Core> | null = null;

/** What instances are made of. */
let compiling: Promise<{ readonly glue: typeof import('#core'); readonly module: WebAssembly.Module }> | null = null;

export const scratch = new Scratch(diskScratchStore());

export function loadCore(): Promise<Core> {
  loading ??= load();
  return loading;
}

function coreFile(): string {
  try {
    return createRequire(import.meta.url).resolve('#core');
  } catch {
    // A bundler has taken the code away from the engine.
    throw new Error(`there is no engine beside ${import.meta.url}: leave varve out of what is bundled for a server`);
  }
}

async function compile(): Promise<{ readonly glue: typeof import('#core'); readonly module: WebAssembly.Module }> {
  const address = pathToFileURL(coreFile());
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
