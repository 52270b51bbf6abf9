/** Blocking requests by XMLHttpRequest, for reads that cannot suspend the engine. */
import { FileFault } from '../file.ts';
import { noTraffic, type Traffic } from '../source.ts';
import {
  type BlockingNetwork,
  type ByteLimit,
  type HttpAnswer,
  isPassing,
  NETWORK_TIMEOUT_MS,
  TRIES,
  tooLargeWords,
  unreachable,
  wholeLimit,
} from './http.ts';

/**
 * The whole answer: such a request tells nothing of its progress, and cannot end before its answer. Its memory is what a server sends
 * in this time.
 */
const TIMEOUT_MS = 2 * NETWORK_TIMEOUT_MS;
/** A file of the engine. */
const ASSET_BYTES_MAX = 64 * 1024 * 1024;

/** GETs that block the worker, for browsers that cannot suspend the engine's stack. One after the other. */
export const xhrNetwork: BlockingNetwork = {
  isParallel: false,
  ask: (url, range, traffic, limit) => ({
    hasCome: () => false,
    wait: () => getBlocking(url, range, traffic, limit),
  }),
  close() {},
};

/** A file that belongs to the engine. The worker stands still for it, as for a page of a remote database. */
export function fetchAsset(address: URL): Uint8Array {
  const { status, bytes } = getBlocking(address.href, null, noTraffic(), wholeLimit(ASSET_BYTES_MAX));
  if (status !== 200) throw unreachable(address.href, `status ${status}`);
  return bytes;
}

function getBlocking(url: string, range: string | null, traffic: Traffic, limit: ByteLimit): HttpAnswer {
  for (let tried = 1; ; tried++) {
    const request = new XMLHttpRequest();
    try {
      traffic.requests++;
      request.open('GET', url, false);
      request.responseType = 'arraybuffer';
      // A worker's alone may have one.
      request.timeout = TIMEOUT_MS;
      if (range !== null) request.setRequestHeader('Range', range);
      request.send();
    } catch (error) {
      if (tried === TRIES) throw unreachable(url, error);
      continue;
    }
    const bytes = new Uint8Array(request.response as ArrayBuffer);
    traffic.bytes += bytes.length;
    if (request.status === 200 && !limit.isBeginningEnough && bytes.length > limit.wholeBytes)
      throw new FileFault('host', tooLargeWords(url, limit.wholeBytes));
    if (!isPassing(request.status) || tried === TRIES) {
      return { status: request.status, header: name => request.getResponseHeader(name), bytes };
    }
  }
}
