import type { Reply, Request } from '../protocol/index.ts';

/** The way to a host: a worker in browsers, a thread or the same thread in Node. */
export interface Transport {
  /** @param transfer buffers of the request that the host gets for itself. */
  post(request: Request, transfer?: ArrayBuffer[]): void;
  /** Called once, before the first `post`. `died` is for ends that the host could not announce itself. */
  listen(onReply: (reply: Reply) => void, onDeath: (reason: string) => void): void;
  /** Frees the host. Nothing is posted afterwards. */
  terminate(): void;
}

const NOT_STARTED =
  'the worker could not be started: its file is not served, or a policy forbids it. ' +
  'With a bundler that does not find it by itself it is an entry of its own, varve/worker, and given to open as { worker }';

export function workerTransport(worker: Worker): Transport {
  return {
    post: (request, transfer = []) => worker.postMessage(request, transfer),
    listen(onReply, onDeath) {
      worker.addEventListener('message', event => onReply(event.data as Reply));
      worker.addEventListener('messageerror', () => onDeath('a message could not be read'));
      worker.addEventListener('error', event => {
        event.preventDefault();
        onDeath(event.message || NOT_STARTED);
      });
    },
    terminate: () => worker.terminate(),
  };
}
