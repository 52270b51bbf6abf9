/** A host in a thread of Node, for sources on the network: waiting for them would stop the main thread. */
import { parentPort } from 'node:worker_threads';
import { Host } from '../host/host.ts';
import { sharedReach } from '../host/reach.ts';
import type { Request } from '../protocol/index.ts';
import { nodePlatform } from './platform.ts';

const host = new Host({
  ...nodePlatform,
  reach: sharedReach,
  reply: (message, transfer) => parentPort?.postMessage(message, transfer),
});

parentPort?.on('message', (request: Request) => host.take(request));
