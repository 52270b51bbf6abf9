import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Scratch } from '../host/files/scratch.ts';
import { HostImports } from '../host/imports.ts';
import type { Core } from '../host/wasm_engine.ts';
import type { WasmExports } from '../host/wasm_exports.ts';
import { diskScratchStore } from './scratch.ts';

/** The engine of this thread: one module for everything that is opened in it, until it traps. */
const imports = new HostImports();
imports.readAsset = address => readFileSync(address);
imports.scratch = new Scratch(diskScratchStore());
let loading: Promise<Core> | null = null;
let generation = 0;

export function loadCore(): Promise<Core> {
  loading ??= load();
  return loading;
}

/** What trapped stays broken: gives its last words, and the next open a module of its own. */
export function forgetCore(): string | null {
  loading = null;
  return imports.panicMessage;
}

function coreFile(): string {
  try {
    return createRequire(import.meta.url).resolve('#core');
  } catch {
    // A bundler has taken the code away from the engine.
    throw new Error(`there is no engine beside ${import.meta.url}: leave varve out of what is bundled for a server`);
  }
}

async function load(): Promise<Core> {
  const address = pathToFileURL(coreFile());
  const compiled = new WebAssembly.Module(readFileSync(new URL('core_bg.wasm', address)));
  // The generated module keeps its instance in a variable of its own, hence a new module for a new instance.
  if (generation > 0) address.search = `?${generation}`;
  generation++;
  const glue = (await import(address.href)) as typeof import('#core');
  const exports = glue.initSync({ module: compiled });
  imports.memory = exports.memory;
  imports.panicMessage = null;
  glue.connectHost(imports);
  return { exports: exports as unknown as WasmExports, glue, imports };
}
