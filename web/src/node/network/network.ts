/** Blocking requests: a helper thread fetches while the caller waits. */
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { FileFault } from '../../host/files/file.ts';
import {
  type BlockingNetwork,
  type ByteLimit,
  type HttpAnswer,
  NETWORK_TIMEOUT_MS,
  type PendingAnswer,
  silenceWords,
  tooLargeWords,
} from '../../host/files/remote/http.ts';
import type { Traffic } from '../../host/files/source.ts';
import { nodeGet } from './http_get.ts';

interface Fetched {
  readonly number: number;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
  /** Tries that this took. */
  readonly requests: number;
  /** Why there is no answer. */
  readonly failure: string | null;
  /** The answer broke off. */
  readonly end: 'whole' | 'silent' | 'too_large';
}

interface Work {
  readonly number: number;
  readonly url: string;
  readonly range: string | null;
  readonly limit: ByteLimit;
  readonly timeoutMs: number;
}

/** Waits for a helper thread that fetches: Node may lack the means to suspend the engine's stack. */
export class ThreadNetwork implements BlockingNetwork {
  readonly isParallel = true;
  readonly #timeoutMs: number;
  /** How many answers the helper has sent. */
  readonly #sent = new Int32Array(new SharedArrayBuffer(4));
  #helper: { readonly worker: Worker; readonly port: MessagePort } | null = null;
  readonly #answers = new Map<number, Fetched>();
  #asked = 0;

  constructor(timeoutMs = NETWORK_TIMEOUT_MS) {
    this.#timeoutMs = timeoutMs;
  }

  prepare(): void {
    this.#start();
  }

  /** Starts the helper: where the cache has everything there is none. */
  #start(): MessagePort {
    if (this.#helper !== null) return this.#helper.port;
    const { port1: port, port2 } = new MessageChannel();
    port.unref();
    const worker = new Worker(`(${fetchThread})(${nodeGet})`, {
      eval: true,
      workerData: { port: port2, sent: this.#sent },
      transferList: [port2],
    });
    worker.unref();
    this.#helper = { worker, port };
    return port;
  }

  ask(url: string, range: string | null, traffic: Traffic, limit: ByteLimit): PendingAnswer {
    const number = this.#asked++;
    this.#start().postMessage({ number, url, range, limit, timeoutMs: this.#timeoutMs } satisfies Work);
    return { hasCome: () => this.#find(number) !== undefined, wait: () => this.#wait(number, url, traffic, limit) };
  }

  #find(number: number): Fetched | undefined {
    const port = this.#start();
    for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) {
      this.#answers.set(next.message.number, next.message);
    }
    return this.#answers.get(number);
  }

  #wait(number: number, url: string, traffic: Traffic, limit: ByteLimit): HttpAnswer {
    for (;;) {
      const sent = Atomics.load(this.#sent, 0);
      const fetched = this.#find(number);
      if (fetched === undefined) {
        Atomics.wait(this.#sent, 0, sent);
        continue;
      }
      this.#answers.delete(number);
      const { status, headers, bytes, requests, failure, end } = fetched;
      traffic.requests += requests;
      traffic.bytes += bytes.length;
      if (end === 'silent') throw new FileFault('host', silenceWords(url, this.#timeoutMs));
      if (end === 'too_large') throw new FileFault('host', tooLargeWords(url, limit.wholeBytes));
      if (failure !== null) throw new FileFault('host', `${url} could not be fetched: ${failure}`);
      return { status, header: name => headers[name] ?? null, bytes };
    }
  }

  close(): void {
    void this.#helper?.worker.terminate();
  }
}

/**
 * The helper. It is handed over as text, so that the package is one file less that bundlers must find; therefore it uses
 * nothing from outside itself.
 */
function fetchThread(nodeGet: typeof import('./http_get.ts').nodeGet): void {
  const { workerData } = process.getBuiltinModule('node:worker_threads');
  const port: MessagePort = workerData.port;
  const sent: Int32Array = workerData.sent;
  const none = { status: 0, headers: {}, bytes: new Uint8Array(), failure: null };
  type Once = Omit<Fetched, 'number' | 'requests'>;
  const fetchOnce = async ({ url, range, limit, timeoutMs }: Work): Promise<Once> => {
    const silence = new AbortController();
    let timer = setTimeout(() => silence.abort(), timeoutMs);
    try {
      const headers = range === null ? {} : { Range: range };
      const answer = await nodeGet(url, { headers, signal: silence.signal });
      const { status } = answer;
      const limitBytes = status === 206 ? limit.partBytes : limit.wholeBytes;
      const isRefused = status === 200 && !limit.isBeginningEnough;
      const pieces: Uint8Array[] = [];
      let length = 0;
      // Of other answers the status is all that counts.
      if (status === 200 || status === 206)
        for await (const piece of answer.body) {
          clearTimeout(timer);
          timer = setTimeout(() => silence.abort(), timeoutMs);
          pieces.push(piece.subarray(0, limitBytes - length));
          length += piece.length;
          if (isRefused ? length > limitBytes : length >= limitBytes) break;
        }
      else answer.drop();
      if (isRefused && length > limitBytes) return { ...none, end: 'too_large' };
      const bytes = new Uint8Array(Math.min(length, limitBytes));
      let at = 0;
      for (const piece of pieces) {
        bytes.set(piece, at);
        at += piece.length;
      }
      return { status, headers: answer.headers, bytes, failure: null, end: 'whole' };
    } catch (error) {
      if (silence.signal.aborted) return { ...none, end: 'silent' };
      return { ...none, failure: String(error), end: 'whole' };
    } finally {
      clearTimeout(timer);
    }
  };
  const fetchRange = async (work: Work): Promise<Fetched> => {
    for (let requests = 1; ; requests++) {
      const fetched = await fetchOnce(work);
      const { status, failure, end } = fetched;
      const isPassing = failure !== null || status === 408 || status === 429 || status >= 500;
      const isWorthMore = end === 'silent' ? requests < 2 : isPassing && requests < 3;
      if (!isWorthMore) return { ...fetched, number: work.number, requests };
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
