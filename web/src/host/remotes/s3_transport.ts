/** Buckets of S3, and of servers that speak like it: an object `manifest` beside immutable `<id>` and `<id>.darc`. */

import { AwsClient } from 'aws4fetch';
import { JOURNAL_ID } from '../../protocol/index.ts';
import { FileFault, type HostFile } from '../files/file.ts';
import { isPassing, NETWORK_TIMEOUT_MS, unreachable } from '../files/remote/http.ts';
import { MANIFEST_BYTES_MAX } from '../files/remote/remote.ts';
import { hostFailure } from '../files/source.ts';
import { parseManifest } from './manifest_text.ts';
import { blobOf, ObjectDirectory, type ObjectTransport, type RemoteState } from './object_directory.ts';
import type { OpenedRemote, RemoteContext, RemoteRequest } from './remote_types.ts';

const TRIES = 5;
const FIRST_PAUSE_MS = 100;
/** Larger files go in parts; S3 takes 10,000 of them, of at least 5 MiB. */
const PART_BYTES = 16 * 1024 * 1024;
const PARTS_MAX = 10_000;
const PARTS_AT_ONCE = 4;
/** Signed addresses of files. */
const ADDRESS_SECONDS = 12 * 3600;
const ADDRESSES_LAST_MS = 3600_000;

/** Opens `s3://bucket/path?endpoint=…&region=…&path-style=true`. */
export async function openS3(request: RemoteRequest, context: RemoteContext): Promise<OpenedRemote> {
  const directory = await ObjectDirectory.open(await S3Transport.of(request, context), context);
  return {
    directory,
    interrupt: () => directory.interrupt(),
    close: () => directory.close(),
  };
}

class S3Transport implements ObjectTransport {
  readonly url: string;
  /** Of the remote's objects; ends with a slash. */
  readonly #base: string;
  /** Null for a bucket that anybody may read. */
  readonly #client: AwsClient | null;
  readonly #timeoutMs: number;
  readonly #signal: AbortSignal | undefined;
  #readMs = 0;

  private constructor(url: string, base: string, client: AwsClient | null, context: RemoteContext) {
    this.url = url;
    this.#base = base;
    this.#client = client;
    this.#timeoutMs = context.options.timeoutMs ?? NETWORK_TIMEOUT_MS;
    this.#signal = context.options.signal;
  }

  static async of({ url, user }: RemoteRequest, context: RemoteContext): Promise<S3Transport> {
    const { base, region } = placeOf(url);
    const credentials = await context.credentials({ url, scheme: 's3', user });
    if (credentials !== null && !('accessKeyId' in credentials))
      throw hostFailure('usage', `${url} takes an access key, no user and password`);
    const client = credentials === null ? null : new AwsClient({ ...credentials, service: 's3', region, retries: 0 });
    return new S3Transport(url, base, client, context);
  }

  get isExpiring(): boolean {
    return Date.now() > this.#readMs + ADDRESSES_LAST_MS;
  }

  async read(): Promise<RemoteState> {
    const { text, etag } = await this.#manifest();
    this.#readMs = Date.now();
    const addresses = new Map<string, string>();
    // Whether a file is an archive is not in the manifest.
    for (const { id } of text === null ? [] : parseManifest(text).files) {
      for (const name of id === JOURNAL_ID ? [id] : [id, `${id}.darc`]) addresses.set(name, await this.#signed(name));
    }
    return { manifest: text, version: etag, addresses };
  }

  async upload(name: string, content: HostFile): Promise<void> {
    if (content.length > PART_BYTES) return this.#uploadParts(name, content);
    const answer = await this.#request(name, { method: 'PUT', body: blobOf(content) });
    if (!answer.ok) throw await this.#failure(`the upload of ${name}`, answer);
  }

  async replace(manifest: string, { version }: RemoteState): Promise<boolean> {
    const condition: Record<string, string> = version === null ? { 'if-none-match': '*' } : { 'if-match': version };
    const headers = { ...condition, 'content-type': 'text/plain' };
    let isLost = false;
    try {
      const answer = await this.#request('manifest', { method: 'PUT', headers, body: manifest });
      if (answer.ok) return true;
      // Replaced by another writer, at the same moment, or removed.
      isLost = answer.status === 412 || answer.status === 409 || answer.status === 404;
      if (!isLost) throw await this.#failure('the manifest', answer);
    } catch (error) {
      // It may have arrived, though its answer did not: a second try then finds its own.
      if (!(error instanceof FileFault) || (await this.#manifest()).text !== manifest) throw error;
      return true;
    }
    return (await this.#manifest()).text === manifest;
  }

  async #manifest(): Promise<{ readonly text: string | null; readonly etag: string | null }> {
    const answer = await this.#request('manifest', { method: 'GET', cache: 'no-store' });
    const etag = answer.headers.get('etag');
    if (answer.ok) {
      const length = Number(answer.headers.get('content-length') ?? 0);
      if (length > MANIFEST_BYTES_MAX) throw new FileFault('host', `${this.url}: manifest has ${length} bytes`);
      if (etag === null)
        throw new FileFault(
          'host',
          `${this.url}: the server gives no ETag, without which nothing can be replaced safely`,
        );
      return { text: await answer.text(), etag };
    }
    const failure = await this.#failure('the manifest', answer);
    if (answer.status === 404 && !failure.message.includes('NoSuchBucket')) return { text: null, etag: null };
    throw failure;
  }

  async #uploadParts(name: string, content: HostFile): Promise<void> {
    const begun = await this.#request(`${name}?uploads=`, { method: 'POST' });
    const id = /<UploadId>([^<]+)<\/UploadId>/.exec(begun.ok ? await begun.text() : '')?.[1];
    if (id === undefined) throw await this.#failure(`the upload of ${name}`, begun);
    const upload = `uploadId=${encodeURIComponent(id)}`;
    try {
      const partBytes = Math.max(PART_BYTES, Math.ceil(content.length / PARTS_MAX));
      const count = Math.ceil(content.length / partBytes);
      const tags = new Array<string>(count);
      let next = 0;
      const send = async (): Promise<void> => {
        for (let part = next++; part < count; part = next++) {
          const body = blobOf(content, part * partBytes, Math.min((part + 1) * partBytes, content.length));
          const answer = await this.#request(`${name}?partNumber=${part + 1}&${upload}`, { method: 'PUT', body });
          if (!answer.ok) throw await this.#failure(`part ${part + 1} of ${name}`, answer);
          tags[part] = answer.headers.get('etag') ?? '';
        }
      };
      await Promise.all(Array.from({ length: PARTS_AT_ONCE }, send));
      const parts = tags.map((tag, part) => `<Part><PartNumber>${part + 1}</PartNumber><ETag>${tag}</ETag></Part>`);
      const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
      const answer = await this.#request(`${name}?${upload}`, { method: 'POST', body });
      // A failure may come with status 200, because the server answers before it is done.
      const said = await answer.clone().text();
      if (!answer.ok || said.includes('<Error>')) throw await this.#failure(`the upload of ${name}`, answer);
    } catch (error) {
      await this.#request(`${name}?${upload}`, { method: 'DELETE' }).catch(() => {});
      throw error;
    }
  }

  /** A presigned URL of an object. */
  async #signed(name: string): Promise<string> {
    const url = new URL(this.#base + name);
    if (this.#client === null) return url.href;
    url.searchParams.set('X-Amz-Expires', String(ADDRESS_SECONDS));
    return (await this.#client.sign(url.href, { method: 'GET', aws: { signQuery: true } })).url;
  }

  /** Sends a request, again where a second try may succeed. */
  async #request(name: string, init: RequestInit): Promise<Response> {
    const url = this.#base + name;
    for (let tried = 1; ; tried++) {
      const silence = AbortSignal.timeout(this.#timeoutMs);
      const signal = this.#signal === undefined ? silence : AbortSignal.any([silence, this.#signal]);
      let pauseMs = FIRST_PAUSE_MS * 2 ** (tried - 1) * (0.5 + Math.random());
      try {
        const signed = await this.#client?.sign(url, init);
        const answer = await (signed === undefined ? fetch(url, { ...init, signal }) : fetch(signed, { signal }));
        if (!isPassing(answer.status) || tried === TRIES) return answer;
        pauseMs = Math.max(pauseMs, Math.min(10_000, 1000 * Number(answer.headers.get('retry-after') ?? 0)));
        await answer.body?.cancel();
      } catch (error) {
        if (this.#signal?.aborted) throw new FileFault('cancelled', `${this.url}: the remote was closed`);
        if (tried === TRIES) throw unreachable(this.url, error);
      }
      await new Promise(resolve => setTimeout(resolve, pauseMs));
    }
  }

  /** What a server answered, and what to do about it. */
  async #failure(what: string, answer: Response): Promise<Error> {
    const said = answer.bodyUsed ? '' : (await answer.text()).slice(0, 2000);
    const code = /<Code>([^<]*)<\/Code>/.exec(said)?.[1] ?? '';
    const message = /<Message>([^<]*)<\/Message>/.exec(said)?.[1] ?? '';
    const words = `${this.url}: ${what} was answered with ${answer.status} ${code} ${message}`.trim();
    if (code === 'NoSuchBucket')
      return hostFailure('not_a_database', `${words}. Check the name of the bucket, and region`);
    if (answer.status === 401 || answer.status === 403) {
      const why = this.#client === null ? 'No access key was given' : 'Check the access key, its rights and the region';
      return hostFailure('unreadable', `${words}. ${why}`);
    }
    if (answer.status >= 300 && answer.status < 400)
      return hostFailure('unreadable', `${words}. Check region and endpoint`);
    if (answer.status === 501)
      return hostFailure(
        'unsupported',
        `${words}. The server knows no conditional writes, without which commits would be lost`,
      );
    return new FileFault('host', words);
  }
}

/** Where the objects of a URL are. */
function placeOf(address: string): { readonly base: string; readonly region: string } {
  const url = URL.canParse(address) ? new URL(address) : null;
  const bucket = url?.hostname ?? '';
  if (url === null || bucket === '') throw hostFailure('usage', `${address} names no bucket: s3://BUCKET/PATH`);
  if (url.username !== '' || url.password !== '')
    throw hostFailure(
      'usage',
      's3:// with an access key in it: keys are no part of an address, as they would be stored with it',
    );
  const { searchParams } = url;
  for (const name of searchParams.keys()) {
    if (!PARAMETERS.has(name))
      throw hostFailure('usage', `${address}: there is no parameter ${name}, but ${[...PARAMETERS].join(', ')}`);
  }
  const region = searchParams.get('region') ?? 'us-east-1';
  const endpoint = searchParams.get('endpoint') ?? `https://s3.${region}.amazonaws.com`;
  if (!/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint))
    throw hostFailure('usage', `${address}: the endpoint is no http(s) address`);
  const base = new URL(endpoint);
  const isPath = searchParams.get('path-style') === 'true';
  const path = url.pathname.replace(/^\/+|\/+$/g, '');
  if (!isPath) base.hostname = `${bucket}.${base.hostname}`;
  base.pathname = [
    base.pathname.replace(/\/+$/, ''),
    ...(isPath ? [bucket] : []),
    ...(path === '' ? [] : [path]),
    '',
  ].join('/');
  return { base: base.href, region };
}

const PARAMETERS = new Set(['endpoint', 'region', 'path-style']);
