import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { FileFault } from '../host/files/file.ts';
import type { BlockingNetwork, HttpAnswer, PendingAnswer } from '../host/files/http.ts';
import type { Traffic } from '../host/files/source.ts';

interface Fetched {
  readonly number: number;
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly bytes: Uint8Array;
  /** Tries that this took. */
  readonly requests: number;
  /** Why there is no answer. */
  readonly failure: string | null;
}

interface Work {
  readonly number: number;
  readonly url: string;
  readonly range: string | null;
}

/** Waits for a helper thread that fetches: Node may lack the means to suspend the engine's stack. */
export class ThreadNetwork implements BlockingNetwork {
  readonly isParallel = true;
  readonly #port: MessagePort;
  /** How many answers the helper has sent. */
  readonly #sent = new Int32Array(new SharedArrayBuffer(4));
  readonly #helper: Worker;
  readonly #answers = new Map<number, Fetched>();
  #asked = 0;

  constructor() {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#port.unref();
    this.#helper = new Worker(`(${fetchThread})()`, {
      eval: true,
      workerData: { port: port2, sent: this.#sent },
      transferList: [port2],
    });
    this.#helper.unref();
  }

  ask(url: string, range: string | null, traffic: Traffic): PendingAnswer {
    const number = this.#asked++;
    this.#port.postMessage({ number, url, range } satisfies Work);
    return { hasCome: () => this.#find(number) !== undefined, wait: () => this.#wait(number, url, traffic) };
  }

  #find(number: number): Fetched | undefined {
    for (let next = receiveMessageOnPort(this.#port); next !== undefined; next = receiveMessageOnPort(this.#port)) {
      this.#answers.set(next.message.number, next.message);
    }
    return this.#answers.get(number);
  }

  #wait(number: number, url: string, traffic: Traffic): HttpAnswer {
    for (;;) {
      const sent = Atomics.load(this.#sent, 0);
      const fetched = this.#find(number);
      if (fetched === undefined) {
        Atomics.wait(this.#sent, 0, sent);
        continue;
      }
      this.#answers.delete(number);
      const { status, headers, bytes, requests, failure } = fetched;
      traffic.requests += requests;
      traffic.bytes += bytes.length;
      if (failure !== null) throw new FileFault('host', `${url} could not be fetched: ${failure}`);
      return { status, header: name => headers[name] ?? null, bytes };
    }
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
  const sent: Int32Array = workerData.sent;
  const fetchRange = async ({ number, url, range }: Work): Promise<Fetched> => {
    for (let requests = 1; ; requests++) {
      try {
        const response = await fetch(url, { headers: range === null ? {} : { Range: range } });
        const bytes = new Uint8Array(await response.arrayBuffer());
        const { status } = response;
        const isPassing = status === 408 || status === 429 || status >= 500;
        if (!isPassing || requests === 3) {
          return { number, status, headers: Object.fromEntries(response.headers), bytes, requests, failure: null };
        }
      } catch (error) {
        const failure = String((error as Error).cause ?? error);
        if (requests === 3) return { number, status: 0, headers: {}, bytes: new Uint8Array(), requests, failure };
      }
      await new Promise(resolve => setTimeout(resolve, 200 * requests));
    }
  };
  port.on('message', async (work: Work) => {
    const fetched = await fetchRange(work);
    port.postMessage(fetched, [fetched.bytes.buffer as ArrayBuffer]);
    Atomics.add(sent, 0, 1);
    Atomics.notify(sent, 0);
  });
}
