import { expect, test } from 'vitest';
import { randomly } from '../../../testing/random.ts';
import { FileFault } from '../file.ts';
import { GrowingFile } from '../memory.ts';
import { CACHE_PAGE_BYTES, PageCache } from './page_cache.ts';
import { xxh32 } from './xxh32.ts';

const BLOCK_HEADER_BYTES = 64 * 1024;
const PLENTY = 64 * 1024 * 1024;
const key = (file: number): Uint32Array => Uint32Array.from({ length: 6 }, (_, word) => file * 31 + word);
const limitOf = (slots: number): number => BLOCK_HEADER_BYTES + slots * CACHE_PAGE_BYTES;

/** The bytes of a page: another page has others. */
function page(file: number, number: number, length = CACHE_PAGE_BYTES): Uint8Array {
  const known = pages.get(file * 10_000 + number);
  if (known?.length === length) return known;
  const made = Uint8Array.from({ length }, (_, index) => (index * 7 + file * 13 + number * 29 + (index >> 8)) & 255);
  pages.set(file * 10_000 + number, made);
  return made;
}

const pages = new Map<number, Uint8Array>();

/** Compared at once: `toEqual` looks at each byte for milliseconds. */
function isRight(bytes: Uint8Array | null, file: number, number: number): boolean {
  return bytes === null || Buffer.compare(bytes, page(file, number)) === 0;
}

/** What writes to a file is refused once it is switched on. */
class RefusingFile extends GrowingFile {
  refusal: FileFault | null = null;
  grows = true;
  /** What it may grow to, in spite of the refusal. */
  roomBytes = 0;

  override write(offset: number, bytes: Uint8Array): void {
    const isGrowth = offset + bytes.length > Math.max(this.length, this.roomBytes);
    if (this.refusal !== null && (this.grows || isGrowth)) throw this.refusal;
    super.write(offset, bytes);
  }
}

/** Counts writes. */
class CountingFile extends GrowingFile {
  count = 0;

  override write(offset: number, bytes: Uint8Array): void {
    this.count++;
    super.write(offset, bytes);
  }
}

test('the checksum is xxHash32', () => {
  const of = (text: string, seed?: number): number => xxh32(new TextEncoder().encode(text), seed);
  expect([of(''), of('a'), of('abc')]).toEqual([0x02cc5d05, 0x550d7456, 0x32d153ff]);
  expect(of('Nobody inspects the spammish repetition')).toBe(0xe2293b2f);
  // Bytes that do not begin at a word are the same bytes.
  expect(xxh32(new TextEncoder().encode('-Nobody inspects the spammish repetition').subarray(1))).toBe(0xe2293b2f);
  // A Buffer's `slice` is a view.
  expect(xxh32(Buffer.from('-Nobody inspects the spammish repetition').subarray(1))).toBe(0xe2293b2f);
});

test('pages that one session wrote are read by the next, short last pages among them', () => {
  const file = new GrowingFile();
  const first = new PageCache(file, PLENTY);
  first.write(key(1), 0, new Uint8Array([...page(1, 0), ...page(1, 1), ...page(1, 2, 100)]));
  first.write(key(2), 7, page(2, 7));
  const second = new PageCache(file, PLENTY);
  for (const cache of [first, second]) {
    expect(cache.read(key(1), 1)).toEqual(page(1, 1));
    expect(cache.read(key(1), 2)).toEqual(page(1, 2, 100));
    expect(cache.read(key(2), 7)).toEqual(page(2, 7));
    expect(cache.read(key(1), 7)).toBeNull();
    expect(cache.usedBytes).toBe(4 * CACHE_PAGE_BYTES);
  }
});

test('pages beyond a block of headers are found again', () => {
  const file = new GrowingFile();
  const cache = new PageCache(file, PLENTY);
  for (let number = 0; number < 1100; number++) cache.write(key(1), number, page(1, number));
  const again = new PageCache(file, PLENTY);
  for (const number of [0, 1023, 1024, 1099]) expect(again.read(key(1), number)).toEqual(page(1, number));
});

test('pages that follow each other are written at once, in each block of headers', () => {
  const file = new CountingFile();
  const cache = new PageCache(file, PLENTY);
  cache.write(key(1), 3, page(1, 3));
  file.count = 0;
  cache.write(key(1), 0, new Uint8Array(Buffer.concat(Array.from({ length: 1100 }, (_, number) => page(1, number)))));
  // Three runs (page 3 is there, a block ends), pages and headers.
  expect(file.count).toBe(6);
  const again = new PageCache(file, PLENTY);
  for (let number = 0; number < 1100; number++) expect(isRight(again.read(key(1), number), 1, number)).toBe(true);
  expect(again.usedBytes).toBe(1100 * CACHE_PAGE_BYTES);
});

test('a session learns what another one appended, and writes behind it', () => {
  const file = new GrowingFile();
  const [left, right] = [new PageCache(file, PLENTY), new PageCache(file, PLENTY)];
  left.write(key(1), 0, page(1, 0));
  right.write(key(1), 1, page(1, 1));
  left.write(key(1), 2, page(1, 2));
  for (const number of [0, 1]) expect(right.read(key(1), number)).toEqual(page(1, number));
  for (const number of [0, 1, 2]) expect(left.read(key(1), number)).toEqual(page(1, number));
});

test('what was not used for longest is replaced', () => {
  const cache = new PageCache(new GrowingFile(), limitOf(4));
  for (let number = 0; number < 4; number++) cache.write(key(1), number, page(1, number));
  expect(cache.read(key(1), 0)).toEqual(page(1, 0));
  cache.write(key(1), 4, page(1, 4));
  cache.write(key(1), 5, page(1, 5));
  expect([0, 1, 2, 3, 4, 5].filter(number => cache.has(key(1), number))).toEqual([0, 3, 4, 5]);
});

test('across sessions what was used hours ago goes before what was used just now', () => {
  const file = new GrowingFile();
  let minute = 1000;
  const clock = () => minute;
  const first = new PageCache(file, limitOf(2), clock);
  first.write(key(1), 0, page(1, 0));
  first.write(key(1), 1, page(1, 1));
  minute += 120;
  first.read(key(1), 0);
  const second = new PageCache(file, limitOf(2), clock);
  second.write(key(1), 2, page(1, 2));
  expect([0, 1, 2].filter(number => second.has(key(1), number))).toEqual([0, 2]);
});

test('a file that is longer than allowed is cut', () => {
  const file = new GrowingFile();
  const large = new PageCache(file, PLENTY);
  for (let number = 0; number < 8; number++) large.write(key(1), number, page(1, number));
  const small = new PageCache(file, limitOf(3));
  expect(file.length).toBe(limitOf(3));
  expect(small.usedBytes).toBe(3 * CACHE_PAGE_BYTES);
  // The other session goes on with what is left.
  expect(large.read(key(1), 7)).toBeNull();
  expect(large.read(key(1), 2)).toEqual(page(1, 2));
  expect(large.off).toBeNull();
});

test('whatever bytes are damaged, a page is as it was written or absent', () => {
  const random = randomly(7);
  for (let round = 0; round < 100; round++) {
    const file = new GrowingFile();
    const cache = new PageCache(file, PLENTY);
    for (let number = 0; number < 4; number++) cache.write(key(number % 2), number, page(number % 2, number));
    for (let damage = random(4); damage >= 0; damage--) {
      // As often in the headers as in the pages.
      const at = random(2) === 0 ? random(4 * 64) : BLOCK_HEADER_BYTES + random(4 * CACHE_PAGE_BYTES);
      file.write(at, new Uint8Array([random(256)]));
    }
    if (random(4) === 0) file.truncate(random(file.length));
    for (const reader of [cache, new PageCache(file, PLENTY)]) {
      for (let number = 0; number < 4; number++) {
        const found = reader.read(key(number % 2), number);
        expect(isRight(found, number % 2, number)).toBe(true);
      }
    }
  }
});

test('sessions that replace each other’s pages read right pages or none', () => {
  const random = randomly(11);
  const file = new GrowingFile();
  const sessions = [0, 1, 2].map(() => new PageCache(file, limitOf(6)));
  let found = 0;
  for (let step = 0; step < 3000; step++) {
    const session = sessions[random(3)] as PageCache;
    const [name, number] = [random(2), random(8)];
    const what = random(8);
    if (what === 0) session.drop(key(name), number);
    else if (what < 4) session.write(key(name), number, page(name, number));
    else {
      const bytes = session.read(key(name), number);
      expect(isRight(bytes, name, number)).toBe(true);
      found += bytes === null ? 0 : 1;
    }
  }
  expect(found).toBeGreaterThan(200);
  expect(sessions.map(({ off }) => off)).toEqual([null, null, null]);
});

test('where the disk is full the cache stays as large as it is', () => {
  const file = new RefusingFile();
  const cache = new PageCache(file, PLENTY);
  cache.write(key(1), 0, page(1, 0));
  cache.write(key(1), 1, page(1, 1));
  file.refusal = new FileFault('no_space', 'The disk is full');
  file.grows = false;
  for (const number of [2, 3]) cache.write(key(1), number, page(1, number));
  expect(cache.off).toBeNull();
  expect([0, 1, 2, 3].filter(number => cache.has(key(1), number))).toEqual([1, 3]);
});

test('where the disk has room for fewer pages than come together, those that fit are kept', () => {
  const file = new RefusingFile();
  file.refusal = new FileFault('no_space', 'The disk is full');
  file.grows = false;
  file.roomBytes = 65_536 + 5 * CACHE_PAGE_BYTES;
  const cache = new PageCache(file, PLENTY);
  const bytes = new Uint8Array(16 * CACHE_PAGE_BYTES);
  for (let number = 0; number < 16; number++) bytes.set(page(1, number), number * CACHE_PAGE_BYTES);
  cache.write(key(1), 0, bytes);
  expect(cache.off).toBeNull();
  expect(cache.usedBytes).toBe(5 * CACHE_PAGE_BYTES);
  const kept = Array.from({ length: 16 }, (_, number) => number).filter(number => cache.has(key(1), number));
  expect(kept.every(number => isRight(cache.read(key(1), number), 1, number))).toBe(true);
});

test('what else fails ends the cache, and says why', () => {
  const file = new RefusingFile();
  const cache = new PageCache(file, PLENTY);
  cache.write(key(1), 0, page(1, 0));
  file.refusal = new FileFault('gone', 'The files were removed');
  cache.write(key(1), 1, page(1, 1));
  expect(cache.off).toMatch(/^The cache was removed/);
  expect(cache.read(key(1), 0)).toBeNull();
  expect(cache.has(key(1), 0)).toBe(false);
});
