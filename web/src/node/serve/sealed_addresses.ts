/** Presigned URLs of served files. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Addresses of files are good for so long. */
export const ADDRESS_LASTS_MS = 15 * 60_000;

/** What an address permits. */
export interface Grant {
  readonly method: 'GET' | 'PUT';
  readonly database: string;
  readonly name: string;
  /** Of an upload: its length. */
  readonly length: number;
}

/** Sealed addresses: URLs of files that are valid for a while without a password, each signed with a key of this process. */
export class SealedAddresses {
  readonly #key = randomBytes(32);
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** @param origin as the client calls the server. The path ends with the name of the file, in which clients look for `.darc`. */
  seal(origin: string, { method, database, name, length }: Grant): string {
    const expires = Math.floor((this.#now() + ADDRESS_LASTS_MS) / 1000);
    const grant = { method, database, name, length };
    const url = new URL(`${origin}/files/${database.split('/').map(encodeURIComponent).join('/')}/${name}`);
    url.searchParams.set('method', method);
    url.searchParams.set('length', String(length));
    url.searchParams.set('expires', String(expires));
    url.searchParams.set('seal', this.#seal(grant, expires));
    return url.href;
  }

  /** What an address permits; null when it is none of ours, was changed, or has ended. */
  open(path: string, query: URLSearchParams): Grant | null {
    const found = /^\/files\/(.+)\/([^/]+)$/.exec(path);
    const method = query.get('method');
    if (found === null || (method !== 'GET' && method !== 'PUT')) return null;
    const [expires, length] = [Number(query.get('expires')), Number(query.get('length'))];
    if (!Number.isSafeInteger(expires) || !Number.isSafeInteger(length) || 1000 * expires < this.#now()) return null;
    let database: string;
    try {
      database = decodeURIComponent(found[1] as string);
    } catch {
      return null;
    }
    const grant: Grant = { method, database, name: found[2] as string, length };
    const [seal, given] = [Buffer.from(this.#seal(grant, expires)), Buffer.from(query.get('seal') ?? '')];
    return seal.length === given.length && timingSafeEqual(seal, given) ? grant : null;
  }

  #seal({ method, database, name, length }: Grant, expires: number): string {
    const said = JSON.stringify([method, database, name, length, expires]);
    return createHmac('sha256', this.#key).update(said).digest('base64url');
  }
}
