// Questions to a worker, and answers.

/** What a sample leaves behind is collected off the clock of the engine that is asked next (`--expose-gc`, chromium.mjs). */
export const collectGarbage = () => globalThis.gc?.();

/**
 * In a worker: answers every question with what `operations` gives, and `collectGarbage`.
 *
 * @param {Record<string, (...args: any[]) => unknown>} operations
 */
export function answerWith(operations) {
  self.onmessage = async ({ data: { id, operation, args } }) => {
    try {
      const run = { collectGarbage, ...operations }[operation];
      if (run === undefined) throw new Error(`no operation ${operation}`);
      self.postMessage({ id, value: await run(...args) });
    } catch (error) {
      self.postMessage({ id, error: error instanceof Error ? `${error.message}\n${error.stack}` : String(error) });
    }
  };
  self.postMessage({ id: 0 });
}

/** On the page: a worker and its operations. */
export class Calls {
  #worker;
  #waiting = new Map();
  #next = 1;

  /** @param {string} url */
  constructor(url) {
    this.#worker = new Worker(url, { type: 'module' });
    this.ready = new Promise((resolve, reject) => {
      this.#waiting.set(0, { resolve, reject });
      this.#worker.onerror = event => reject(new Error(event.message ?? `cannot load ${url}`));
    });
    this.#worker.onmessage = ({ data: { id, value, error } }) => {
      const { resolve, reject } = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) resolve(value);
      else reject(new Error(error));
    };
  }

  /**
   * @param {string} operation
   * @param {unknown[]} args
   */
  async ask(operation, ...args) {
    await this.ready;
    return new Promise((resolve, reject) => {
      const id = this.#next++;
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, operation, args });
    });
  }

  end() {
    this.#worker.terminate();
  }
}
