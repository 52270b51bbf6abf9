/** A WebAssembly module that is loaded when it is first used: ahead of its use, or at once, which blocks the thread. */
export class LazyModule {
  #module: WebAssembly.Module | null = null;
  #loading: Promise<void> | null = null;
  #hasFailed = false;

  /** It was neither loaded nor failed to load ahead of its use. */
  get isPending(): boolean {
    return this.#module === null && !this.#hasFailed;
  }

  /** Loads the module ahead of its use, without blocking. A failure is left to the first use, which reports it. */
  load(compile: () => Promise<WebAssembly.Module>): Promise<void> {
    this.#loading ??= compile().then(
      module => {
        this.#module ??= module;
      },
      () => {
        this.#hasFailed = true;
      },
    );
    return this.#loading;
  }

  /** The module. @param read gives its bytes at once, if it has not been loaded. */
  get(read: () => Uint8Array): WebAssembly.Module {
    this.#module ??= new WebAssembly.Module(read() as Uint8Array<ArrayBuffer>);
    return this.#module;
  }
}
