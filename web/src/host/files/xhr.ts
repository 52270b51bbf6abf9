import { type BlockingNetwork, type HttpAnswer, isPassing, TRIES, unreachable } from './http.ts';
import type { Traffic } from './source.ts';

/** GETs that block the worker, for browsers that cannot suspend the engine's stack. One after the other. */
export const xhrNetwork: BlockingNetwork = {
  isParallel: false,
  ask: (url, range, traffic) => ({ hasCome: () => false, wait: () => getBlocking(url, range, traffic) }),
  close() {},
};

/** A file that belongs to the engine. The worker stands still for it, as for a page of a remote database. */
export function fetchAsset(address: URL): Uint8Array {
  const { status, bytes } = getBlocking(address.href, null, { requests: 0, bytes: 0 });
  if (status !== 200) throw unreachable(address.href, `status ${status}`);
  return bytes;
}

function getBlocking(url: string, range: string | null, traffic: Traffic): HttpAnswer {
  for (let tried = 1; ; tried++) {
    const request = new XMLHttpRequest();
    try {
      traffic.requests++;
      request.open('GET', url, false);
      request.responseType = 'arraybuffer';
      if (range !== null) request.setRequestHeader('Range', range);
      request.send();
    } catch (error) {
      if (tried === TRIES) throw unreachable(url, error);
      continue;
    }
    const bytes = new Uint8Array(request.response as ArrayBuffer);
    traffic.bytes += bytes.length;
    if (!isPassing(request.status) || tried === TRIES) {
      return { status: request.status, header: name => request.getResponseHeader(name), bytes };
    }
  }
}
