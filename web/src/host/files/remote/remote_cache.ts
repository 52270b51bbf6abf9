/** What the page cache knows of files on servers: their pages, their lengths, and the texts that change. */
import { type CacheState, contentName } from '../../../protocol/index.ts';
import type { ByteRange } from '../file.ts';
import { CACHE_PAGE_BYTES, type CacheKey, type PageCache } from './page_cache.ts';

/** The page that has what is known of a file beside its bytes. */
const RECORD_PAGE = 0xffff_ffff;
/** What table files and archives end with (docs/format/store.md, sections 4 and 5). */
const TABLE_FILE_END = [0xff, 0xb5, 0xd8, 0xc2, 0x24, 0x63, 0xee, 0x50];
const ARCHIVE_END = [...new TextEncoder().encode('DOLTARC')];

/** Opens the cache file of the platform; null where none is wanted. What it throws is why there is none. */
export type OpenPageCache = (limitBytes: number | undefined) => Promise<PageCache>;

/** What a server said of a file that changes. */
export interface CachedAnswer {
  readonly etag: string | null;
  /** Null when there is no such file. */
  readonly text: string | null;
  /** Of a file that is read by ranges. */
  readonly length?: number;
}

export class RemoteCache {
  readonly #pages: PageCache | null;
  readonly #reason: string | null;
  readonly #keys = new Map<string, CacheKey>();

  private constructor(pages: PageCache | null, reason: string | null) {
    this.#pages = pages;
    this.#reason = reason;
  }

  /** @param open null where the caller wants no cache */
  static async open(open: OpenPageCache | null, limitBytes: number | undefined): Promise<RemoteCache> {
    if (open === null || limitBytes === 0) return new RemoteCache(null, 'It was opened with cache: false');
    try {
      return new RemoteCache(await open(limitBytes), null);
    } catch (error) {
      return new RemoteCache(null, error instanceof Error ? error.message : String(error));
    }
  }

  get state(): CacheState {
    const reason = this.#pages === null ? this.#reason : this.#pages.off;
    const isOn = reason === null;
    return {
      reason,
      limitBytes: isOn ? (this.#pages?.limitBytes ?? 0) : 0,
      usedBytes: isOn ? (this.#pages?.usedBytes ?? 0) : 0,
    };
  }

  /** A table file or archive whose length is known and whose end is there; null when it is not one, or has to be asked for. */
  async findContent(path: string): Promise<CachedFile | null> {
    const name = contentName(path);
    if (name === null || this.#pages === null) return null;
    const key = await this.#keyOf(name);
    const length = this.#record(key)?.length;
    if (length === undefined) return null;
    const file = new CachedFile(this.#pages, key, length);
    if (file.endsAs(name.endsWith('.darc') ? ARCHIVE_END : TABLE_FILE_END)) return file;
    return null;
  }

  /** Where the bytes of a file that was opened on a server are kept; null when it is one that is not. */
  async fileFor(path: string, url: string, length: number, etag: string | null): Promise<CachedFile | null> {
    if (this.#pages === null) return null;
    const name = contentName(path);
    if (name === null && !isStrong(etag)) return null;
    const key = await this.#keyOf(name ?? `${url}\n${etag}\n${length}`);
    if (name !== null && this.#record(key)?.length !== length) {
      // Another length: what is there is of another file, whatever its name says.
      this.#pages.dropAll(key);
      this.#keepRecord(key, { etag: null, text: null, length });
    }
    return new CachedFile(this.#pages, key, length);
  }

  /** What a server said last of a file that changes. */
  async find(url: string): Promise<CachedAnswer | null> {
    return this.#pages === null ? null : this.#record(await this.#keyOf(url));
  }

  async keep(url: string, answer: CachedAnswer): Promise<void> {
    if (this.#pages === null) return;
    const key = await this.#keyOf(url);
    const known = this.#record(key);
    if (known?.text === answer.text && known?.etag === answer.etag && known?.length === answer.length) return;
    this.#keepRecord(key, answer);
  }

  /** Forgets what a server said last of a file that changes. */
  forget(url: string): void {
    const key = this.#keys.get(url);
    if (key !== undefined) this.#pages?.drop(key, RECORD_PAGE);
  }

  async close(): Promise<void> {
    await this.#pages?.close();
  }

  async #keyOf(identity: string): Promise<CacheKey> {
    const known = this.#keys.get(identity);
    if (known !== undefined) return known;
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(identity));
    const key = new Uint32Array(digest).slice(0, 6);
    this.#keys.set(identity, key);
    return key;
  }

  #record(key: CacheKey): CachedAnswer | null {
    const bytes = this.#pages?.read(key, RECORD_PAGE) ?? null;
    if (bytes === null) return null;
    try {
      return JSON.parse(new TextDecoder().decode(bytes)) as CachedAnswer;
    } catch {
      return null;
    }
  }

  #keepRecord(key: CacheKey, record: CachedAnswer): void {
    const bytes = new TextEncoder().encode(JSON.stringify(record));
    this.#pages?.drop(key, RECORD_PAGE);
    if (bytes.length <= CACHE_PAGE_BYTES) this.#pages?.write(key, RECORD_PAGE, bytes);
  }
}

/** The pages of one file. */
export class CachedFile {
  readonly length: number;
  readonly #pages: PageCache;
  readonly #key: CacheKey;

  constructor(pages: PageCache, key: CacheKey, length: number) {
    this.#pages = pages;
    this.#key = key;
    this.length = length;
  }

  /** The parts of a range, in whole pages, that are here. One may turn out to be damaged when it is read. */
  parts({ start, end }: ByteRange): ByteRange[] {
    const parts: { start: number; end: number }[] = [];
    for (let at = start - (start % CACHE_PAGE_BYTES); at < Math.min(end, this.length); at += CACHE_PAGE_BYTES) {
      if (!this.#pages.has(this.#key, at / CACHE_PAGE_BYTES)) continue;
      const pageEnd = Math.min(at + CACHE_PAGE_BYTES, this.length);
      const last = parts.at(-1);
      if (last?.end === at) last.end = pageEnd;
      else parts.push({ start: at, end: pageEnd });
    }
    return parts;
  }

  /** Reads the pages of a range that are here and whole; those that follow each other at once. */
  read(range: ByteRange, each: (start: number, bytes: Uint8Array) => void): void {
    for (const { start, end } of this.parts(range)) {
      const bytes = new Uint8Array(end - start);
      let whole = 0;
      for (let at = 0; at < bytes.length; at += CACHE_PAGE_BYTES) {
        const page = bytes.subarray(at, at + CACHE_PAGE_BYTES);
        if (this.#pages.readInto(this.#key, (start + at) / CACHE_PAGE_BYTES, page)) continue;
        if (whole < at) each(start + whole, bytes.subarray(whole, at));
        whole = at + CACHE_PAGE_BYTES;
      }
      if (whole < bytes.length) each(start + whole, bytes.subarray(whole));
    }
  }

  /** Keeps the whole pages of these bytes. */
  keep(start: number, bytes: Uint8Array): void {
    const end = start + bytes.length;
    const first = Math.ceil(start / CACHE_PAGE_BYTES) * CACHE_PAGE_BYTES;
    const last = end === this.length ? end : end - (end % CACHE_PAGE_BYTES);
    if (first < last) {
      this.#pages.write(this.#key, first / CACHE_PAGE_BYTES, bytes.subarray(first - start, last - start));
    }
  }

  drop({ start, end }: ByteRange): void {
    const first = Math.floor(start / CACHE_PAGE_BYTES);
    for (let page = first; page * CACHE_PAGE_BYTES < end; page++) this.#pages.drop(this.#key, page);
  }

  /** Whether the last page is here and ends with this signature, or with this and a byte for the version. */
  endsAs(signature: readonly number[]): boolean {
    const page = Math.floor((this.length - 1) / CACHE_PAGE_BYTES);
    const bytes = this.length > 0 ? this.#pages.read(this.#key, page) : null;
    if (bytes?.length !== this.length - page * CACHE_PAGE_BYTES) return false;
    return signature.every((byte, index) => bytes.at(index - signature.length) === byte);
  }
}

/** Two answers with the same strong tag have the same bytes. */
function isStrong(etag: string | null): boolean {
  return etag?.startsWith('"') ?? false;
}
