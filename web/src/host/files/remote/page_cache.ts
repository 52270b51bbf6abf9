/**
 * Pages of remote files in one local file, which tabs and processes share without locks: every slot validates itself
 * (docs/decisions/2026-11-28-remote-cache.md).
 */
import { messageOf } from '../../../protocol/index.ts';
import { FileFault, type HostFile } from '../file.ts';
import { xxh32 } from './xxh32.ts';

export const CACHE_PAGE_BYTES = 16 * 1024;
const HEADER_BYTES = 64;
const HEADER_WORDS = HEADER_BYTES / 4;
/** The headers of so many slots lie together before their pages. */
const BLOCK_SLOTS = 1024;
const BLOCK_HEADER_BYTES = BLOCK_SLOTS * HEADER_BYTES;
const BLOCK_BYTES = BLOCK_HEADER_BYTES + BLOCK_SLOTS * CACHE_PAGE_BYTES;
/** A use is written down when the last one is so long ago. */
const STAMP_MINUTES = 60;

/** How often it is looked whether the file is still there. */
const WATCH_MS = 1000;
const CLEARED = 'The cache was removed while the database was open, for example by clearing site data';

/** Words of a slot's header; the first six are the key. */
const KEY_WORDS = 6;
const PAGE = 6;
const LENGTH = 7;
const PAGE_SUM = 8;
const STAMP = 9;
const HEADER_SUM = 15;

/** What names a file's content: 24 bytes of a SHA-256. */
export type CacheKey = Uint32Array;

export class PageCache {
  readonly #file: HostFile;
  readonly #minute: () => number;
  #slotsMax: number;
  /** Pages that are appended at once: fewer, once there was no room for as many. */
  #appendedMax = BLOCK_SLOTS;
  /** Headers as they were read or written last. */
  #headers: Uint32Array<ArrayBuffer> = new Uint32Array(0);
  #slots = 0;
  /** Slots by key and page: open addressing. 0 is free, else the slot + 1. */
  #table = new Int32Array(1024);
  #entries = 0;
  /** When a slot was used, as a count of uses; what was used before this session is 0. */
  #uses = new Uint32Array(0);
  #tick = 0;
  /** Slots to be replaced, the next one last, and their uses when they were sorted. */
  #victims: { readonly slot: number; readonly use: number }[] = [];
  #off: string | null = null;
  readonly #isThere: (() => Promise<boolean>) | null;
  #watchedMs = performance.now();

  /**
   * @param limitBytes what the file may grow to; a longer one is cut
   * @param minute the clock, in minutes since 1970
   * @param isThere whether the file still has its name; null where its handle tells
   */
  constructor(
    file: HostFile,
    limitBytes: number,
    minute: () => number = () => Math.floor(Date.now() / 60_000),
    isThere: (() => Promise<boolean>) | null = null,
  ) {
    this.#file = file;
    this.#minute = minute;
    this.#isThere = isThere;
    this.#slotsMax = slotsIn(limitBytes);
    this.#guard(() => {
      if (slotsIn(file.length) > this.#slotsMax) file.writes?.truncate(endOf(this.#slotsMax));
      this.#learn();
    });
  }

  /** Why nothing is read from it or written to it any more; null while it works. */
  get off(): string | null {
    this.#watch();
    return this.#off;
  }

  get limitBytes(): number {
    return endOf(this.#slotsMax);
  }

  /** Bytes of pages that it has, as far as this session knows. */
  get usedBytes(): number {
    return this.#entries * CACHE_PAGE_BYTES;
  }

  has(key: CacheKey, page: number): boolean {
    return this.#off === null && this.#find(key, page) >= 0;
  }

  /** The bytes of a page; null when it is absent or damaged. */
  read(key: CacheKey, page: number): Uint8Array | null {
    const slot = this.#off === null ? this.#find(key, page) : -1;
    if (slot < 0) return null;
    const bytes = new Uint8Array(this.#headerOf(slot)[LENGTH] as number);
    return this.#readSlot(slot, bytes) ? bytes : null;
  }

  /** Fills `dest` with a page. False when a page of this length is absent or damaged: `dest` then has anything. */
  readInto(key: CacheKey, page: number, dest: Uint8Array): boolean {
    const slot = this.#off === null ? this.#find(key, page) : -1;
    return slot >= 0 && this.#headerOf(slot)[LENGTH] === dest.length && this.#readSlot(slot, dest);
  }

  /** Keeps consecutive pages of a file, except those that it has. `bytes` are whole pages, but for the last one of the file. */
  write(key: CacheKey, firstPage: number, bytes: Uint8Array): void {
    const pageOf = (at: number): number => firstPage + at / CACHE_PAGE_BYTES;
    for (let at = 0; at < bytes.length && this.#off === null; ) {
      let end = at;
      while (end < bytes.length && this.#find(key, pageOf(end)) < 0) end += CACHE_PAGE_BYTES;
      end = Math.min(end, bytes.length);
      while (at < end) at += this.#put(key, pageOf(at), bytes.subarray(at, end));
      at += CACHE_PAGE_BYTES;
    }
  }

  /** Forgets a page: what is there is wrong. */
  drop(key: CacheKey, page: number): void {
    const slot = this.#off === null ? this.#find(key, page) : -1;
    if (slot < 0) return;
    this.#forget(slot);
    this.#headerOf(slot).fill(0);
    this.#guard(() => this.#file.writes?.write(headerAt(slot), this.#headerBytes(slot)));
  }

  /** Forgets all pages of a file. */
  dropAll(key: CacheKey): void {
    for (let slot = 0; slot < this.#slots; slot++) {
      const header = this.#headerOf(slot);
      if (header[LENGTH] !== 0 && isKey(header, key)) this.drop(key, header[PAGE] as number);
    }
  }

  /** A file that has no name any more is not closed: see `OpfsFile.close`. */
  async close(): Promise<void> {
    this.#off ??= 'It is closed';
    if (this.#isThere === null || (await this.#isThere().catch(() => true))) this.#file.close();
  }

  #readSlot(slot: number, dest: Uint8Array): boolean {
    const header = this.#headerOf(slot);
    const isRead = this.#guard(() => this.#file.read(pageAt(slot), dest));
    if (!isRead || xxh32(dest, seedOf(header)) !== header[PAGE_SUM]) {
      // Another writer may have replaced it: its header says by what.
      this.#refresh(slot);
      return false;
    }
    this.#use(slot);
    return true;
  }

  /**
   * Keeps the first of these pages, and those that fit behind it at the end of the file. Gives the bytes that were dealt with; none where
   * there is room for fewer at most, which are tried next.
   */
  #put(key: CacheKey, firstPage: number, bytes: Uint8Array): number {
    this.#watch();
    const room = this.#guard(() => this.#learn()) ? Math.min(this.#appendedMax, this.#roomAtEnd()) : 0;
    const part = bytes.subarray(0, Math.max(1, room) * CACHE_PAGE_BYTES);
    const slot = room > 0 ? this.#slots : this.#replacedSlot();
    if (slot === null) return part.length;
    const headers = this.#headersOf(key, firstPage, part);
    const count = headers.length / HEADER_WORDS;
    // The length of the file tells how many slots there are: all are whole.
    const whole = room > 0 ? padded(part, count * CACHE_PAGE_BYTES) : part;
    const isWritten = this.#guard(
      () => {
        this.#file.writes?.write(pageAt(slot), whole);
        this.#file.writes?.write(headerAt(slot), new Uint8Array(headers.buffer));
      },
      room > 0 ? count : 0,
    );
    if (!isWritten) return this.#appendedMax < count && this.#off === null ? 0 : part.length;
    if (room > 0) this.#resize(slot + count);
    this.#headers.set(headers, slot * HEADER_WORDS);
    for (let written = slot; written < slot + count; written++) {
      this.#insert(written);
      this.#uses[written] = ++this.#tick;
    }
    return part.length;
  }

  #headersOf(key: CacheKey, firstPage: number, bytes: Uint8Array): Uint32Array<ArrayBuffer> {
    const count = Math.ceil(bytes.length / CACHE_PAGE_BYTES);
    const headers = new Uint32Array(count * HEADER_WORDS);
    for (let index = 0; index < count; index++) {
      const page = bytes.subarray(index * CACHE_PAGE_BYTES, (index + 1) * CACHE_PAGE_BYTES);
      const header = headers.subarray(index * HEADER_WORDS, (index + 1) * HEADER_WORDS);
      header.set(key);
      header[PAGE] = firstPage + index;
      header[LENGTH] = page.length;
      header[PAGE_SUM] = xxh32(page, seedOf(header));
      header[STAMP] = this.#minute();
      header[HEADER_SUM] = sumOf(header);
    }
    return headers;
  }

  /** How many slots fit behind the last one, with their headers side by side. */
  #roomAtEnd(): number {
    return Math.min(this.#slotsMax - this.#slots, BLOCK_SLOTS - (this.#slots % BLOCK_SLOTS));
  }

  /** The slot that was not used for longest, emptied. */
  #replacedSlot(): number | null {
    while (this.#off === null) {
      if (this.#victims.length === 0) this.#sortVictims();
      const victim = this.#victims.pop();
      if (victim === undefined) return null;
      const { slot, use } = victim;
      if (this.#uses[slot] !== use) continue;
      const known = this.#headerOf(slot).slice();
      this.#refresh(slot);
      // Another tab has just replaced it.
      if (this.#headerOf(slot)[HEADER_SUM] !== known[HEADER_SUM]) continue;
      this.#forget(slot);
      return slot;
    }
    return null;
  }

  #sortVictims(): void {
    const age = (slot: number): number => this.#headerOf(slot)[STAMP] as number;
    this.#victims = Array.from({ length: this.#slots }, (_, slot) => ({ slot, use: this.#uses[slot] as number }));
    this.#victims.sort((left, right) => right.use - left.use || age(right.slot) - age(left.slot));
  }

  /** Takes in the headers of slots that are new in the file. */
  #learn(): void {
    const slots = Math.min(slotsIn(this.#file.length), this.#slotsMax);
    const before = this.#slots;
    if (slots <= before) {
      // Another session has cut it.
      for (let slot = slots; slot < before; slot++) this.#forget(slot);
      this.#slots = slots;
      return;
    }
    this.#resize(slots);
    for (let slot = before; slot < slots; ) {
      const end = Math.min(slots, slot - (slot % BLOCK_SLOTS) + BLOCK_SLOTS);
      const headers = this.#headers.subarray(slot * HEADER_WORDS, end * HEADER_WORDS);
      this.#file.read(headerAt(slot), new Uint8Array(headers.buffer, headers.byteOffset, headers.byteLength));
      for (; slot < end; slot++) this.#admit(slot);
    }
  }

  /** Reads a header again. */
  #refresh(slot: number): void {
    this.#forget(slot);
    const isRead = this.#guard(() => this.#file.read(headerAt(slot), this.#headerBytes(slot)));
    if (isRead) this.#admit(slot);
    else this.#headerOf(slot).fill(0);
  }

  /** Makes a slot known if its header is whole. */
  #admit(slot: number): void {
    const header = this.#headerOf(slot);
    const length = header[LENGTH] as number;
    const isWhole = length > 0 && length <= CACHE_PAGE_BYTES && header[HEADER_SUM] === sumOf(header);
    if (isWhole && this.#find(header, header[PAGE] as number) < 0) this.#insert(slot);
    else header.fill(0);
  }

  #use(slot: number): void {
    this.#uses[slot] = ++this.#tick;
    const header = this.#headerOf(slot);
    const minute = this.#minute();
    if (minute - (header[STAMP] as number) < STAMP_MINUTES) return;
    header[STAMP] = minute;
    header[HEADER_SUM] = sumOf(header);
    this.#guard(() => this.#file.writes?.write(headerAt(slot), this.#headerBytes(slot)));
  }

  #find(key: Uint32Array, page: number): number {
    const mask = this.#table.length - 1;
    for (let at = hashOf(key, page) & mask; ; at = (at + 1) & mask) {
      const slot = (this.#table[at] as number) - 1;
      if (slot < 0) return -1;
      const header = this.#headerOf(slot);
      if (header[PAGE] === page && isKey(header, key)) return slot;
    }
  }

  #insert(slot: number): void {
    if (2 * (this.#entries + 1) > this.#table.length) this.#grow();
    this.#enter(slot);
    this.#entries++;
  }

  #enter(slot: number): void {
    const mask = this.#table.length - 1;
    const header = this.#headerOf(slot);
    let at = hashOf(header, header[PAGE] as number) & mask;
    while (this.#table[at] !== 0) at = (at + 1) & mask;
    this.#table[at] = slot + 1;
  }

  #grow(): void {
    const known = this.#table.filter(entry => entry !== 0);
    this.#table = new Int32Array(2 * this.#table.length);
    for (const entry of known) this.#enter(entry - 1);
  }

  /** Takes a slot out of the table, which keeps no gaps in its runs. */
  #forget(slot: number): void {
    const mask = this.#table.length - 1;
    const header = this.#headerOf(slot);
    let at = hashOf(header, header[PAGE] as number) & mask;
    while (this.#table[at] !== slot + 1) {
      if (this.#table[at] === 0) return;
      at = (at + 1) & mask;
    }
    this.#entries--;
    this.#table[at] = 0;
    for (at = (at + 1) & mask; this.#table[at] !== 0; at = (at + 1) & mask) {
      const moved = (this.#table[at] as number) - 1;
      this.#table[at] = 0;
      this.#enter(moved);
    }
  }

  #headerOf(slot: number): Uint32Array<ArrayBuffer> {
    return this.#headers.subarray(slot * HEADER_WORDS, (slot + 1) * HEADER_WORDS);
  }

  #headerBytes(slot: number): Uint8Array {
    return new Uint8Array(this.#headers.buffer, slot * HEADER_BYTES, HEADER_BYTES);
  }

  #resize(slots: number): void {
    if (slots > this.#uses.length) {
      const room = Math.min(this.#slotsMax, Math.max(slots, 2 * this.#uses.length, 64));
      this.#headers = extended(this.#headers, new Uint32Array(room * HEADER_WORDS));
      this.#uses = extended(this.#uses, new Uint32Array(room));
    }
    this.#slots = slots;
  }

  /**
   * Does something with the file. What fails ends the cache: the session goes on without it. False when it failed.
   *
   * @param appended pages that it makes the file longer by: where there is no room for them fewer are tried, and at last it stays as
   *   large as it is
   */
  #guard(work: () => void, appended = 0): boolean {
    if (this.#off !== null) return false;
    try {
      work();
      return true;
    } catch (error) {
      const isFull = appended > 0 && error instanceof FileFault && error.kind === 'no_space';
      if (isFull && appended > 1) {
        this.#appendedMax = Math.floor(appended / 2);
        return false;
      }
      if (isFull && this.#slots > 0) {
        this.#slotsMax = this.#slots;
        return false;
      }
      // Shorter than it was: another session has cut it, which the next append notices.
      if (this.#isShorter()) return false;
      this.#off = error instanceof FileFault && error.kind === 'gone' ? CLEARED : messageOf(error);
      return false;
    }
  }

  /** Handles may outlive their file: pages written to it then are lost with this session. */
  #watch(): void {
    const nowMs = performance.now();
    if (this.#isThere === null || this.#off !== null || nowMs < this.#watchedMs + WATCH_MS) return;
    this.#watchedMs = nowMs;
    this.#isThere().then(
      isThere => {
        if (!isThere) this.#off ??= CLEARED;
      },
      () => {},
    );
  }

  #isShorter(): boolean {
    try {
      return slotsIn(this.#file.length) < this.#slots;
    } catch {
      return false;
    }
  }
}

/** Whole slots in so many bytes. */
function slotsIn(bytes: number): number {
  const blocks = Math.floor(bytes / BLOCK_BYTES);
  const rest = Math.floor((bytes - blocks * BLOCK_BYTES - BLOCK_HEADER_BYTES) / CACHE_PAGE_BYTES);
  return blocks * BLOCK_SLOTS + Math.max(0, rest);
}

/** The length of a file of so many slots. */
function endOf(slots: number): number {
  return slots === 0 ? 0 : pageAt(slots - 1) + CACHE_PAGE_BYTES;
}

function headerAt(slot: number): number {
  return Math.floor(slot / BLOCK_SLOTS) * BLOCK_BYTES + (slot % BLOCK_SLOTS) * HEADER_BYTES;
}

function pageAt(slot: number): number {
  return Math.floor(slot / BLOCK_SLOTS) * BLOCK_BYTES + BLOCK_HEADER_BYTES + (slot % BLOCK_SLOTS) * CACHE_PAGE_BYTES;
}

function hashOf(key: Uint32Array, page: number): number {
  return ((key[0] as number) ^ Math.imul(page + 1, 0x9e3779b1)) >>> 0;
}

function isKey(header: Uint32Array, key: Uint32Array): boolean {
  for (let word = 0; word < KEY_WORDS; word++) if (header[word] !== key[word]) return false;
  return true;
}

/** A page that another slot's header describes does not fit. */
function seedOf(header: Uint32Array): number {
  return hashOf(header, header[PAGE] as number);
}

function sumOf(header: Uint32Array): number {
  return xxh32(new Uint8Array(header.buffer, header.byteOffset, HEADER_SUM * 4), header[LENGTH]);
}

/** The bytes, followed by zeros up to `length`. */
function padded(bytes: Uint8Array, length: number): Uint8Array {
  if (bytes.length === length) return bytes;
  const whole = new Uint8Array(length);
  whole.set(bytes);
  return whole;
}

function extended<A extends Uint32Array>(array: A, longer: A): A {
  longer.set(array);
  return longer;
}
