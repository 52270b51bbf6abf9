/** Transport over a thread of Node. */
import { Worker } from 'node:worker_threads';
import type { Transport } from '../client/index.ts';
import type { Reply } from '../protocol/index.ts';

/** A host in a thread of its own. The thread keeps the process alive while something is open. */
export function threadTransport(): Transport {
  const worker = new Worker(new URL('./thread.ts', import.meta.url));
  return {
    post: (request, transfer = []) => worker.postMessage(request, transfer),
    listen(onReply, onDeath) {
      worker.on('message', (reply: Reply) => onReply(reply));
      worker.on('error', error => onDeath(`${error.message}. Open the database again`));
      worker.on('exit', code => onDeath(`its thread ended with code ${code}. Open the database again`));
      worker.on('messageerror', () => onDeath('a message could not be read. Open the database again'));
    },
    terminate: () => void worker.terminate(),
  };
}
