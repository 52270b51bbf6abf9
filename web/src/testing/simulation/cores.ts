import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { MemoryScratchStore, Scratch } from '../../host/files/scratch.ts';
import { Core } from '../../host/wasm/core.ts';
import { HostImports } from '../../host/wasm/imports.ts';
import type { WasmExports } from '../../host/wasm/wasm_exports.ts';

/**
 * Instances of the engine, compiled once. Each serves one tab at a time, so that tabs share no memory, and is used again by a later one:
 * making an instance costs more than a schedule.
 */
export class CorePool {
  readonly #free: Core[] = [];
  #compiled: { readonly glue: typeof import('#core'); readonly module: WebAssembly.Module } | null = null;

  /** Makes instances ahead: loading one is the only thing in a schedule that would wait for the real event loop. */
  async prepare(count: number): Promise<void> {
    while (this.#free.length < count) this.#free.push(await this.#make());
  }

  take(): Core {
    const core = this.#free.pop();
    if (core === undefined) throw new Error('no instance of the engine is left: prepare more');
    return core;
  }

  give(core: Core): void {
    this.#free.push(core);
  }

  async #make(): Promise<Core> {
    this.#compiled ??= await compile();
    const { glue, module } = this.#compiled;
    const imports = new HostImports();
    imports.readAsset = address => readFileSync(address);
    imports.scratch = new Scratch(new MemoryScratchStore());
    return new Core(glue.initSync({ module }) as unknown as WasmExports, glue, imports);
  }
}

async function compile(): Promise<{ readonly glue: typeof import('#core'); readonly module: WebAssembly.Module }> {
  const address = pathToFileURL(createRequire(import.meta.url).resolve('#core'));
  const module = new WebAssembly.Module(readFileSync(new URL('core_bg.wasm', address)));
  return { module, glue: (await import(/* @vite-ignore */ address.href)) as typeof import('#core') };
}
