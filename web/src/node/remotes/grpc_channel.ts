/** gRPC over HTTP/2. */
import { createGrpcTransport } from '@connectrpc/connect-node';
import type { ServiceChannel } from '../../host/remotes/service_transport.ts';

/** An answer of `ListTableFiles` has some 300 bytes for each file. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
/** An idle connection is closed after this time. */
const IDLE_MS = 5000;

/** gRPC over HTTP/2, with TLS or without. */
export const grpcChannel: ServiceChannel = (baseUrl, interceptors) =>
  createGrpcTransport({ baseUrl, interceptors, readMaxBytes: ANSWER_BYTES_MAX, idleConnectionTimeoutMs: IDLE_MS });
