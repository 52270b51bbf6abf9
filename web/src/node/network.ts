import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { FileFault } from '../host/files/file.ts';
import type { BlockingNetwork, HttpAnswer } from '../host/files/http.ts';
import type { Traffic } from '../host/files/source.ts';

interface Fetched {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly bytes: Uint8Array;
  /** Tries that this took. */
  readonly requests: number;
  /** Why there is no answer. */
  readonly failure: string | null;
}

interface Work {
  readonly url: string;
  readonly ranges: readonly (string | null)[];
}

/** Waits for a helper thread that fetches: Node may lack the means to suspend the engine's stack. */
export class ThreadNetwork implements BlockingNetwork {
  readonly isParallel = true;
  readonly #port: MessagePort;
  readonly #answered = new Int32Array(new SharedArrayBuffer(4));
  readonly #helper: Worker;

  constructor() {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#port.unref();
    this.#helper = new Worker(`(${fetchThread})()`, {
      eval: true,
      workerData: { port: port2, answered: this.#answered },
      transferList: [port2],
    });
    this.#helper.unref();
  }

  get(url: string, ranges: readonly (string | null)[], traffic: Traffic): HttpAnswer[] {
    Atomics.store(this.#answered, 0, 0);
    this.#port.postMessage({ url, ranges } satisfies Work);
    Atomics.wait(this.#answered, 0, 0);
    const fetched = receiveMessageOnPort(this.#port)?.message as readonly Fetched[] | undefined;
    if (fetched === undefined) throw new FileFault('host', `${url}: the helper thread did not answer`);
    return fetched.map(({ status, headers, bytes, requests, failure }) => {
      traffic.requests += requests;
      traffic.bytes += bytes.length;
      if (failure !== null) throw new FileFault('host', `${url} could not be fetched: ${failure}`);
      return { status, header: name => headers[name] ?? null, bytes };
    });
  }

  close(): void {
    void this.#helper.terminate();
  }
}

/**
 * The helper. It is handed over as text, so that the package is one file less that bundlers must find; therefore it uses
 * nothing from outside itself.
 */
function fetchThread(): void {
  const { workerData } = process.getBuiltinModule('node:worker_threads');
  const port: MessagePort = workerData.port;
  const answered: Int32Array = workerData.answered;
  const fetchRange = async (url: string, range: string | null): Promise<Fetched> => {
    for (let requests = 1; ; requests++) {
      try {
        const response = await fetch(url, { headers: range === null ? {} : { Range: range } });
        const bytes = new Uint8Array(await response.arrayBuffer());
        const isPassing = response.status === 408 || response.status === 429 || response.status >= 500;
        if (!isPassing || requests === 3) {
          return {
            status: response.status,
            headers: Object.fromEntries(response.headers),
            bytes,
            requests,
            failure: null,
          };
        }
      } catch (error) {
        const failure = String((error as Error).cause ?? error);
        if (requests === 3) return { status: 0, headers: {}, bytes: new Uint8Array(), requests, failure };
      }
      await new Promise(resolve => setTimeout(resolve, 200 * requests));
    }
  };
  port.on('message', async ({ url, ranges }: Work) => {
    const fetched = await Promise.all(ranges.map(range => fetchRange(url, range)));
    port.postMessage(
      fetched,
      fetched.map(({ bytes }) => bytes.buffer as ArrayBuffer),
    );
    Atomics.store(answered, 0, 1);
    Atomics.notify(answered, 0);
  });
}
