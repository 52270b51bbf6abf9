/** Transport of a host in the thread of the client. */
import type { Reply, Request } from '../protocol/index.ts';
import { Host, type HostPlatform } from './host.ts';

/** The client's side of a host in the same thread; the shape of the client's `Transport`. */
export interface InlineHost {
  post(request: Request): void;
  listen(onReply: (reply: Reply) => void): void;
  terminate(): void;
}

/** A host in this thread. Messages take a turn of the microtask queue, so that no call re-enters its caller. */
export function inlineHost(platform: Omit<HostPlatform, 'reply'>): InlineHost {
  let onReply: (reply: Reply) => void = () => {};
  let isOver = false;
  const host = new Host({
    ...platform,
    reply: message =>
      queueMicrotask(() => {
        if (!isOver) onReply(message);
      }),
  });
  return {
    post: request => queueMicrotask(() => host.take(request)),
    listen: listener => {
      onReply = listener;
    },
    terminate: () => {
      isOver = true;
      host.end();
    },
  };
}
