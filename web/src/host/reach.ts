/** Cancelling of a call that does not yield: by shared memory, or by the URL of a blob. */
import type { CancelReach } from '../protocol/index.ts';

/**
 * How a cancel reaches a statement within a call of the engine, while the worker reads no messages. A thread of Node shares memory with its
 * client. Pages do so only where they are isolated: there the client revokes the address of a blob, which the worker asks for.
 */
export interface Reach {
  readonly address: CancelReach;
  isCancelled(): boolean;
  close(): void;
}

/** Of a worker in a page; null where a policy forbids requests to blobs. */
export function blobReach(): Reach | null {
  const address = URL.createObjectURL(new Blob());
  const isCancelled = (): boolean => {
    try {
      const request = new XMLHttpRequest();
      request.open('GET', address, false);
      request.send();
      return false;
    } catch {
      return true;
    }
  };
  if (isCancelled()) return null;
  return { address, isCancelled, close: () => URL.revokeObjectURL(address) };
}

/** Of a thread of Node. */
export function sharedReach(): Reach {
  const address = new SharedArrayBuffer(4);
  const flag = new Int32Array(address);
  return { address, isCancelled: () => Atomics.load(flag, 0) !== 0, close: () => {} };
}
