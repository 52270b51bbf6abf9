/** The core module of the engine: its instances and their memory. */
import type { HostImports } from './imports.ts';
import type { CoreGlue, WasmExports } from './wasm_exports.ts';

/** Linear memory beside what the budget allows before a fresh instance is worth its cold caches. */
const BESIDE_BYTES = 96 * 2 ** 20;

/** Calls of an instance that has died, or that was left. */
export class CoreGone extends Error {
  override readonly name = 'CoreGone';
}

/**
 * An instance of the wasm module with its memory, which never shrinks: it is given back when everything that lives in it has moved to
 * another instance, or when it died.
 */
export class Core {
  /** Whose imports the module's calls reach; a thread enters one instance at a time. */
  static #connected: Core | null = null;
  readonly glue: CoreGlue;
  readonly imports: HostImports;
  #exports: WasmExports | null;
  #lastWords: string | null = null;
  /** The engines that live in it, with their budgets. */
  readonly #engines = new Map<object, number>();
  #budgetBytes = 0;
  #isRetired = false;
  /** What it had when its last engine moved in: large values of sessions, which a fresh instance would have again. */
  #bytesAtFirst = 0;
  readonly #onRetired: (core: Core) => void;

  /** @param onRetired the next engine gets another instance. */
  constructor(exports: WasmExports, glue: CoreGlue, imports: HostImports, onRetired: (core: Core) => void = () => {}) {
    this.#exports = exports;
    this.glue = glue;
    this.imports = imports;
    this.#onRetired = onRetired;
    imports.core = exports;
    this.#connect(exports);
  }

  /** @throws CoreGone when the instance has died. */
  get exports(): WasmExports {
    const exports = this.#exports;
    if (exports === null) throw new CoreGone(this.#lastWords ?? 'The engine was closed');
    if (Core.#connected !== this) this.#connect(exports);
    return exports;
  }

  get isGone(): boolean {
    return this.#exports === null;
  }

  get memoryBytes(): number {
    return this.#exports?.memory.buffer.byteLength ?? 0;
  }

  /** Whether its memory is far above what its engines may keep, so that most of it is free. */
  get isTooLarge(): boolean {
    return this.memoryBytes > Math.max(this.#budgetBytes, this.#bytesAtFirst) + BESIDE_BYTES;
  }

  enter(engine: object, budgetBytes: number): void {
    this.#engines.set(engine, budgetBytes);
    this.#budgetBytes += budgetBytes;
  }

  /** An engine has moved in with all that it had. */
  settled(): void {
    this.#bytesAtFirst = this.memoryBytes;
  }

  /** An engine was closed or moves away: without engines an instance that was retired is let go. */
  leave(engine: object): void {
    this.#budgetBytes -= this.#engines.get(engine) ?? 0;
    this.#engines.delete(engine);
    if (this.#engines.size === 0 && this.#isRetired) this.#exports = null;
  }

  /** No more engines shall move in. */
  retire(): void {
    this.#isRetired = true;
    this.#onRetired(this);
  }

  /** The instance died: nothing may enter it again. Gives files and locks back that it had, as they are. */
  die(reason: string): void {
    if (this.isGone) return;
    this.#lastWords = reason;
    this.#exports = null;
    this.imports.abandon();
    this.retire();
  }

  #connect(exports: WasmExports): void {
    exports.connectHost(this.imports);
    Core.#connected = this;
  }
}
