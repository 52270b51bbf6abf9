/** gRPC-web over `fetch`. */
import { createGrpcWebTransport } from '@connectrpc/connect-web';
import type { ServiceChannel } from './service_transport.ts';

/** gRPC-web, by `fetch`: what a page can speak. */
export const webChannel: ServiceChannel = (baseUrl, interceptors) => createGrpcWebTransport({ baseUrl, interceptors });
