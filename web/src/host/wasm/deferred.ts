/** The deferred module: loaded ahead of a statement, or at its first call. */
import { LazyModule } from './lazy_module.ts';

/** Compiled once for all instances of a thread. */
const compiled = new LazyModule();

/** Statements, functions and system tables that the build defers (xtask/bindgen/src/split.rs). */
const MENTIONS =
  /\b(?:alter|analyze|call|(?<!\bshow\s+)create|drop|explain|rename|signal|truncate|geometry\w*)\b|\bst_|\bdolt_(?:blame|column_diff|conflicts|constraint|help|json_diff|patch|preview|query_diff|schema_conflicts|test|workspace)/i;

/**
 * The deferred module: functions of the engine that few statements need, with the memory and the function table of its core. The core
 * calls `instantiate` when the first of them is called.
 */
export class Deferred {
  /** Where it is: beside the core, whose glue says so. */
  address: URL | null = null;
  /** The exports of the core. */
  core: object = {};
  readonly #read: (address: URL) => Uint8Array;

  /** @param read gives a file's bytes at once. */
  constructor(read: (address: URL) => Uint8Array) {
    this.#read = read;
  }

  /** Loads it ahead of a statement whose text tells that it needs it. Null where there is nothing to wait for. */
  loadingFor(sql: string): Promise<void> | null {
    const { address } = this;
    if (!compiled.isPending || address === null || !MENTIONS.test(sql)) return null;
    return compiled.load(() => WebAssembly.compileStreaming(fetch(address)));
  }

  /** Fills the slots of the core's function table. @throws Error where it cannot be loaded: the core's instance ends by it. */
  instantiate(): void {
    const module = compiled.get(() => {
      if (this.address === null) throw new Error('the engine does not say where its deferred module is');
      return this.#read(this.address);
    });
    // Its element segment is copied into the table.
    new WebAssembly.Instance(module, { core: this.core as WebAssembly.ModuleImports });
  }
}
