/** Transport over a worker, and how its end is noticed. */
import type { LifeMessage, Reply, Request } from '../../protocol/index.ts';

/** The way to a host: a worker in browsers, a thread or the same thread in Node. */
export interface Transport {
  /** @param transfer buffers of the request that the host gets for itself. */
  post(request: Request, transfer?: ArrayBuffer[]): void;
  /** Called once, before the first `post`. `onDeath` is for ends that the host could not announce itself, with what to do. */
  listen(onReply: (reply: Reply) => void, onDeath: (reason: string) => void): void;
  /** Frees the host. Nothing is posted afterwards. */
  terminate(): void;
}

/** The server of Vite 7 and older has moved this code away from its worker. */
const IS_MOVED = import.meta.url.includes('/.vite/deps/');
const NOT_STARTED = `the worker could not be started: its file is not served, or a policy forbids it. ${
  IS_MOVED
    ? "Tell Vite to leave the package where it is: optimizeDeps: { exclude: ['varve'] }"
    : 'With a bundler that does not find it by itself it is an entry of its own, varve/worker, and given to open as { worker }'
}`;
const UNREADABLE = 'a message could not be read. Open the database again';
const TERMINATED =
  'its worker was terminated, by the page or by the browser, which may do that when memory is short. Open the database again';

export function workerTransport(worker: Worker): Transport {
  const life = new AbortController();
  const terminate = worker.terminate.bind(worker);
  return {
    post: (request, transfer = []) => worker.postMessage(request, transfer),
    listen(onReply, onDeath) {
      worker.addEventListener('message', event => {
        const reply = event.data as Reply | LifeMessage;
        if (reply.kind === 'life') onRelease(reply.lock, life.signal, () => onDeath(TERMINATED));
        else onReply(reply);
      });
      worker.addEventListener('messageerror', () => onDeath(UNREADABLE));
      worker.addEventListener('error', event => {
        event.preventDefault();
        onDeath(event.message ? `${event.message}. Open the database again` : NOT_STARTED);
      });
      // A worker whose module has not run yet holds no lock: its end is known only to the code that terminates it.
      worker.terminate = () => {
        terminate();
        onDeath(TERMINATED);
      };
      // Only secure contexts have locks.
      if (navigator.locks !== undefined) {
        worker.postMessage({ kind: 'life', lock: `varve-worker:${crypto.randomUUID()}` } satisfies LifeMessage);
      }
    },
    terminate() {
      life.abort();
      terminate();
    },
  };
}

/** Calls when the lock, which a worker holds, is given back. */
function onRelease(lock: string, signal: AbortSignal, call: () => void): void {
  const watch = async (): Promise<void> => {
    // Once the site's data was cleared, Chromium gives an open page and its new workers different locks: this one would be free at once.
    const { held = [] } = await navigator.locks.query();
    if (held.some(({ name }) => name === lock)) await navigator.locks.request(lock, { signal }, call);
  };
  watch().catch(() => {});
}
