/**
 * Archives that were made to break what unpacks them, and mutations of good ones: typed errors, and never more memory than the limits.
 *
 * `VARVE_MUTATIONS=200000` tries so many mutations of each format instead of some thousands; `VARVE_SEED` begins elsewhere.
 */
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { zipped } from '../../../client/transfer/export/zip_writer.ts';
import { crc32, gunzipped, sourceOf } from '../../../protocol/index.ts';
import { HostFailure } from '../source.ts';
import { unpack } from './archive.ts';
import { readTar, TarStream } from './tar.ts';
import { ARCHIVE_LIMITS, type ArchiveLimits, Unpacking } from './unpacking.ts';
import { readZip } from './zip.ts';

const MEBIBYTE = 1024 * 1024;
const quiet = () => {};
const textOf = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

/** Unpacks, and counts the bytes that were inflated. */
async function counted(
  archive: Uint8Array,
  limits: ArchiveLimits = TIGHT,
): Promise<{ readonly inflated: number; readonly error: unknown }> {
  const unpacking = new Unpacking('crafted', archive.length, { limits });
  const entries =
    archive[0] === 0x50
      ? readZip(sourceOf(archive), unpacking)
      : readTar(
          new TarStream(
            (async function* () {
              for await (const piece of gunzipped(once(archive))) {
                unpacking.account(piece.length);
                yield piece;
              }
            })(),
          ),
          unpacking,
        );
  try {
    for await (const _ of entries);
  } catch (error) {
    return { inflated: unpacking.bytes, error };
  }
  return { inflated: unpacking.bytes, error: null };
}

async function* once(bytes: Uint8Array): AsyncIterableIterator<Uint8Array> {
  yield bytes;
}

interface Entry {
  readonly name: string;
  readonly content?: string | Uint8Array;
  readonly type?: string;
  readonly link?: string;
  readonly size?: number;
}

function tarHeader({ name, content = '', type = '0', link = '', size }: Entry): Uint8Array {
  const header = new Uint8Array(512);
  const put = (text: string, at: number) => header.set(bytesOf(text), at);
  put(name, 0);
  put('0000644\0', 100);
  put((size ?? content.length).toString(8).padStart(11, '0'), 124);
  put('        ', 148);
  put(type, 156);
  put(link, 157);
  put('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  put(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

const TAR_END = new Uint8Array(1024);

function tarOf(entries: readonly Entry[], end = TAR_END): Uint8Array {
  const parts = entries.flatMap(entry => {
    const content = typeof entry.content === 'string' ? bytesOf(entry.content) : (entry.content ?? new Uint8Array());
    return [tarHeader({ ...entry, content }), content, new Uint8Array((512 - (content.length % 512)) % 512)];
  });
  return joined(...parts, end);
}

function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const bytes = bytesOf(rest).length;
  const length = bytes + String(bytes + String(bytes).length).length;
  return `${length}${rest}`;
}

/** Where the directory's entry of a file is, and its local header. */
function places(
  zip: Uint8Array,
  name: string,
): { readonly view: DataView; readonly listedAt: number; localAt: number } {
  const view = new DataView(zip.buffer, zip.byteOffset);
  for (let at = 0; at < zip.length - 46; at++) {
    if (view.getUint32(at, true) !== 0x02014b50) continue;
    const found = textOf(zip.subarray(at + 46, at + 46 + view.getUint16(at + 28, true)));
    if (found === name) return { view, listedAt: at, localAt: view.getUint32(at + 42, true) };
  }
  throw new Error(`no ${name}`);
}

const ZEROS = new Uint8Array(8 * MEBIBYTE);
/** The limits with a smaller beginning, so that the bombs of tests are small. */
const TIGHT: ArchiveLimits = { ...ARCHIVE_LIMITS, ratioFreeBytes: MEBIBYTE };

test('a zip that declares more than the limits allow is refused before a byte of it is inflated', async () => {
  const bomb = zipSync({ 'a/.dolt/noms/manifest': ZEROS });
  expect(bomb.length).toBeLessThan(MEBIBYTE / 2);
  const { inflated, error } = await counted(bomb);
  expect(inflated).toBe(0);
  expect(error).toBeInstanceOf(HostFailure);
  expect(String(error)).toContain('would unpack to 8,388,608 bytes or more');
});

test('a zip entry that unpacks to more than it declares stops there', async () => {
  const bomb = zipSync({ 'db/.dolt/x': ZEROS }).slice();
  const { view, listedAt, localAt } = places(bomb, 'db/.dolt/x');
  view.setUint32(listedAt + 24, 1000, true);
  view.setUint32(localAt + 22, 1000, true);
  const { inflated, error } = await counted(bomb);
  expect(inflated).toBeLessThanOrEqual(1000 + 64 * 1024);
  expect(String(error)).toMatch(/db\/\.dolt\/x unpacks to more than the 1000 bytes .* \(at byte 40\)/);
});

test('zip entries that share their data are refused before a byte is inflated', async () => {
  const once = zipSync({ a: new Uint8Array(MEBIBYTE), b: new Uint8Array(MEBIBYTE) }).slice();
  const { view, listedAt } = places(once, 'b');
  view.setUint32(listedAt + 42, 0, true);
  const { inflated, error } = await counted(once);
  expect(inflated).toBe(0);
  expect(String(error)).toContain('overlaps');
});

test('a tar.gz stops at the limits', async () => {
  const bomb = gzipSync(tarOf([{ name: 'a', content: ZEROS }]));
  const { inflated, error } = await counted(bomb);
  expect(inflated).toBeLessThan(MEBIBYTE / 2);
  expect(String(error)).toMatch(/ a would unpack to 8,\d{3},\d{3} bytes or more/);
  // Of entries that are left out, too.
  const hidden = await counted(gzipSync(tarOf([{ name: 'a', content: ZEROS, type: 'Z' }])));
  expect(String(hidden.error)).toContain('would unpack');
});

test('the limit of the ratio begins behind some megabytes, and is told', async () => {
  const small = zipSync({ a: ZEROS });
  expect((await unpack(small, quiet)).get('a')?.length).toBe(ZEROS.length);
  await expect(unpack(small, quiet, '', { limits: TIGHT })).rejects.toThrow(
    'An archive may unpack to at most 2,147,483,648 bytes, and to at most 100 times its own size beyond 1,048,576 bytes',
  );
  const limits = { ...ARCHIVE_LIMITS, totalBytes: 1000 };
  const over = unpack(zipSync({ a: new Uint8Array(600), b: new Uint8Array(600) }), quiet, 'x.zip', { limits });
  await expect(over).rejects.toThrow('The archive x.zip could not be unpacked: b would unpack to 1,200 bytes or more');
  const many = zipSync(Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`${index}`, new Uint8Array()])));
  await expect(unpack(many, quiet, '', { limits: { ...ARCHIVE_LIMITS, entries: 10 } })).rejects.toThrow('10 entries');
});

test('the checksum of each zip entry is verified', async () => {
  for (const level of [0, 6] as const) {
    const zip = zipSync({ a: [bytesOf('some text that is somewhat long'), { level }] }).slice();
    const { view, listedAt, localAt } = places(zip, 'a');
    view.setUint32(listedAt + 16, 1, true);
    view.setUint32(localAt + 14, 1, true);
    await expect(unpack(zip, quiet)).rejects.toThrow(/a is damaged: its CRC-32 is [0-9a-f]{8}, and the archive says/);
  }
});

test.each([
  ['name', 30, 1],
  ['method', 8, 2],
  ['flags', 6, 2],
  ['checksum', 14, 4],
  ['packed size', 18, 4],
  ['size', 22, 4],
])('a local header that disagrees with the directory is refused: %s', async (_, offset, width) => {
  const zip = zipSync({ a: [bytesOf('text'), { level: 0 }] }).slice();
  const { view, localAt } = places(zip, 'a');
  if (width === 1) view.setUint8(localAt + offset, 99);
  else if (width === 2) view.setUint16(localAt + offset, 0x1234, true);
  else view.setUint32(localAt + offset, 77, true);
  await expect(unpack(zip, quiet)).rejects.toThrow(/a has .*disagree/);
});

test.each([
  ['../a', 'leads out of the archive'],
  ['db/../../a', 'leads out of the archive'],
  ['..\\a', 'leads out of the archive'],
  ['/etc/passwd', 'is an absolute path'],
  ['C:\\db\\a', 'is an absolute path'],
  ['\\\\server\\share', 'is an absolute path'],
  ['a\0b', 'is no name of a file'],
  ['db/'.repeat(2000), 'has a name of more than 4096 characters'],
])('a name that leads elsewhere is refused: %j', async (name, words) => {
  await expect(unpack(zipSync({ [name]: new Uint8Array(1) }), quiet)).rejects.toThrow(words);
  if (name.length < 100 && !name.includes('\0'))
    await expect(unpack(tarOf([{ name, content: 'x' }]), quiet)).rejects.toThrow(words);
});

test.each([
  [['a', 'a'], 'is in it twice'],
  [['db/a', './db//a'], 'is in it twice'],
  [['db/a', 'DB/b'], 'differs from db by case'],
  [['é', 'e\u0301'], 'differs from é by case or Unicode normalisation only'],
  [['a', 'a/b'], 'is a file and a directory'],
  [['a/b', 'a'], 'is a file and a directory'],
])('names that are one path somewhere are refused: %j', async (names, words) => {
  await expect(unpack(tarOf(names.map(name => ({ name, content: 'x' }))), quiet)).rejects.toThrow(words);
  const [first = '', second = ''] = names;
  if (first !== second)
    await expect(unpack(zipSync({ [first]: bytesOf('x'), [second]: bytesOf('x') }), quiet)).rejects.toThrow(words);
});

test('backslashes are directories, as some Windows programs write them', async () => {
  const files = await unpack(
    zipSync({ 'db\\.dolt\\noms\\manifest': bytesOf('x'), 'db\\empty\\': new Uint8Array() }),
    quiet,
  );
  expect([...files.keys()]).toEqual(['db/.dolt/noms/manifest']);
});

test('links and devices are left out of an archive, and refused within a database', async () => {
  for (const type of ['2', '3', '4', '6', 'M']) {
    const files = await unpack(
      tarOf([
        { name: 'latest', type, link: 'db' },
        { name: 'a', content: 'x' },
      ]),
      quiet,
    );
    expect([...files.keys()]).toEqual(['a']);
    const inside = tarOf([{ name: 'db/.dolt/noms/manifest', type, link: '/etc/passwd' }]);
    await expect(unpack(inside, quiet)).rejects.toThrow('db/.dolt/noms/manifest is a symbolic link, a device');
  }
  const zip = zipSync({ 'db/.dolt/x': bytesOf('/etc/passwd') }).slice();
  const { view, listedAt } = places(zip, 'db/.dolt/x');
  view.setUint8(listedAt + 5, 3);
  view.setUint16(listedAt + 40, 0xa1ff, true);
  await expect(unpack(zip, quiet)).rejects.toThrow('is a link or a device');
});

test('a hard link is the file that it leads to', async () => {
  const files = await unpack(
    tarOf([
      { name: './db/.dolt/a', content: 'text' },
      { name: 'db/.dolt/b', type: '1', link: './db/.dolt/a' },
    ]),
    quiet,
  );
  expect(textOf(files.get('db/.dolt/b'))).toBe('text');
  const nowhere = tarOf([{ name: 'db/.dolt/b', type: '1', link: 'c' }]);
  await expect(unpack(nowhere, quiet)).rejects.toThrow('is a hard link to c, which is not before it');
});

test('a sparse file is refused', async () => {
  await expect(unpack(tarOf([{ name: 'a', type: 'S' }]), quiet)).rejects.toThrow('sparse');
  const pax = paxRecord('GNU.sparse.major', '1') + paxRecord('GNU.sparse.name', 'a');
  const entries = [
    { name: 'p', type: 'x', content: pax },
    { name: 'a', content: 'x' },
  ];
  await expect(unpack(tarOf(entries), quiet)).rejects.toThrow('sparse');
});

test('a pax header is read once from front to back, and has the last word on path and size', async () => {
  const pax = `${paxRecord('comment', 'c'.repeat(500_000))}${paxRecord('path', 'first')}${paxRecord('path', 'db/ä')}${paxRecord('size', '4')}`;
  const content = bytesOf(pax);
  const files = await unpack(
    tarOf([
      { name: 'p', type: 'x', content },
      { name: 'a', content: 'text' },
    ]),
    quiet,
  );
  expect(textOf(files.get('db/ä'))).toBe('text');
  for (const damaged of ['99999 path=x\n', 'x', '0 path=a\n', '5 a\n', '11 pathxyz\n'])
    await expect(unpack(tarOf([{ name: 'p', type: 'x', content: damaged }]), quiet)).rejects.toThrow('pax header');
  // 264 KB without a space took 26 s.
  const endless = tarOf([{ name: 'p', type: 'x', content: '1'.repeat(264_000) }]);
  await expect(unpack(endless, quiet)).rejects.toThrow('a pax header of it is damaged');
  const large = tarOf([{ name: 'p', type: 'x', content: '1'.repeat(2 * MEBIBYTE) }]);
  await expect(unpack(large, quiet)).rejects.toThrow('a header of it has more than');
});

test('a tar without its end is told to be cut off', async () => {
  const whole = tarOf([{ name: 'a', content: 'x' }]);
  await expect(unpack(whole.subarray(0, 1024), quiet, 'x.tar')).rejects.toThrow(
    'The archive x.tar could not be unpacked: it is cut off: the end of the tar is missing (at byte 1024)',
  );
});

test('gzip of several members is one stream, and one that is cut is refused', async () => {
  const tar = tarOf([
    { name: 'a', content: 'x'.repeat(3000) },
    { name: 'b', content: 'y' },
  ]);
  for (const cut of [0, 1, 511, 2000, tar.length]) {
    const members = joined(gzipSync(tar.subarray(0, cut)), gzipSync(tar.subarray(cut)));
    expect([...(await unpack(members, quiet)).keys()]).toEqual(['a', 'b']);
    for (const end of [1, 9]) await expect(unpack(members.subarray(0, -end), quiet)).rejects.toThrow(HostFailure);
  }
  const damaged = gzipSync(tar).slice();
  damaged[damaged.length - 6] = (damaged[damaged.length - 6] as number) ^ 1;
  await expect(unpack(damaged, quiet)).rejects.toThrow('could not be unpacked');
  const two = joined(gzipSync(tar), gzipSync(tarOf([{ name: 'c', content: 'z' }])));
  expect([...(await unpack(two, quiet)).keys()]).toEqual(['a', 'b', 'c']);
});

test('what looks like the beginning of a member is none', async () => {
  const header = [0x1f, 0x8b, 8, 0];
  const content = Uint8Array.from({ length: 40_000 }, (_, index) => header[index % 4] as number);
  const packed = gzipSync(tarOf([{ name: 'a', content }]), { level: 0 });
  expect(Buffer.compare((await unpack(packed, quiet)).get('a') ?? new Uint8Array(), content)).toBe(0);
});

test('a signal ends unpacking with its reason', async () => {
  const controller = new AbortController();
  const zip = zipSync({ a: new Uint8Array(MEBIBYTE), b: new Uint8Array(MEBIBYTE) });
  let reports = 0;
  const onProgress = () => {
    if (++reports === 2) controller.abort(new Error('enough'));
  };
  await expect(unpack(zip, onProgress, '', { signal: controller.signal })).rejects.toThrow('enough');
  expect(reports).toBe(2);
  const late = AbortSignal.abort(new Error('before'));
  for (const archive of [zip, gzipSync(tarOf([{ name: 'a', content: ZEROS.subarray(0, MEBIBYTE) }]))])
    await expect(unpack(archive, quiet, '', { signal: late })).rejects.toThrow('before');
});

async function written(files: Readonly<Record<string, Uint8Array>>): Promise<Uint8Array> {
  const input = async function* () {
    for (const [path, bytes] of Object.entries(files)) yield { path, chunks: once(bytes) };
  };
  const parts: Uint8Array[] = [];
  for await (const part of zipped(input())) parts.push(part);
  return joined(...parts);
}

test('what is exported as a zip is read, with its descriptors and zip64 fields checked', async () => {
  const zip = await written({ 'db/.dolt/a': bytesOf('text'), 'db/.dolt/empty': new Uint8Array() });
  const files = await unpack(new Blob([zip as Uint8Array<ArrayBuffer>]), quiet);
  expect([...files].map(([path, bytes]) => [path, textOf(bytes)])).toEqual([
    ['db/.dolt/a', 'text'],
    ['db/.dolt/empty', ''],
  ]);
  const descriptorAt = Buffer.from(zip).indexOf(Buffer.from([0x50, 0x4b, 7, 8]));
  const damaged = zip.slice();
  damaged[descriptorAt + 4] = (damaged[descriptorAt + 4] as number) ^ 1;
  await expect(unpack(damaged, quiet)).rejects.toThrow('disagree with the directory');
});

test('the checksum is that of zip and gzip', () => {
  expect(crc32(bytesOf('123456789'))).toBe(0xcbf43926);
  expect(crc32(bytesOf('6789'), crc32(bytesOf('12345')))).toBe(0xcbf43926);
  expect(crc32(new Uint8Array())).toBe(0);
});

/** mulberry32 */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const EXTREMES = [0, 1, 0x7f, 0x80, 0xff, 0xffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff];

/** One to four changes: bytes, numbers at their limits, cuts, repeated and moved pieces. */
function mutated(seed: Uint8Array, random: (below: number) => number): Uint8Array {
  let bytes: Uint8Array = seed.slice();
  for (let left = 1 + random(4); left > 0 && bytes.length > 8; left--) {
    const at = random(bytes.length);
    const to = random(bytes.length);
    const length = 1 + random(Math.min(64, bytes.length));
    const view = new DataView(bytes.buffer);
    switch (random(7)) {
      case 0:
        bytes[at] = random(256);
        break;
      case 1:
        bytes[at] = (bytes[at] as number) ^ (1 << random(8));
        break;
      case 2:
        view.setUint32(Math.min(at, bytes.length - 4), EXTREMES[random(EXTREMES.length)] as number, random(2) === 0);
        break;
      case 3:
        bytes = bytes.slice(0, at + 1);
        break;
      case 4:
        bytes.set(bytes.slice(at, at + length).subarray(0, bytes.length - to), to);
        break;
      case 5:
        bytes = joined(bytes.subarray(0, at), bytes.subarray(to, to + length), bytes.subarray(at));
        break;
      default:
        bytes = joined(bytes.subarray(0, at), bytes.subarray(at + length));
    }
  }
  return bytes;
}

const MUTATIONS = Number(process.env.VARVE_MUTATIONS ?? 1500);
const SEED = Number(process.env.VARVE_SEED ?? 28);
const LIMITS: ArchiveLimits = { totalBytes: 256 * 1024, ratio: 20, ratioFreeBytes: 64 * 1024, entries: 100 };

const FILES = {
  'db/.dolt/noms/manifest': bytesOf('5:__DOLT__:aaaa'),
  'db/.dolt/noms/LOCK': new Uint8Array(),
  'db/.dolt/a': bytesOf('some text '.repeat(100)),
};
const TAR = tarOf([
  { name: 'p', type: 'x', content: paxRecord('path', 'db/.dolt/noms/manifest') + paxRecord('size', '5') },
  { name: 'cut', content: 'five.' },
  { name: '././@LongLink', type: 'L', content: 'db/.dolt/long\0' },
  { name: 'long', content: 'x'.repeat(600) },
  { name: 'db/.dolt/link', type: '1', link: 'db/.dolt/long' },
  { name: 'db/', type: '5' },
]);

async function seedsOf(format: string): Promise<readonly Uint8Array[]> {
  if (format === 'zip') return [zipSync(FILES), zipSync(FILES, { level: 0 }), await written(FILES)];
  if (format === 'tar') return [TAR, joined(TAR, TAR)];
  return [gzipSync(TAR), joined(gzipSync(TAR.subarray(0, 1500)), gzipSync(TAR.subarray(1500)))];
}

test.each(['zip', 'tar', 'tar.gz'])(
  `${MUTATIONS} mutations of each seed format: a %s unpacks within the limits or is refused in words`,
  async format => {
    const seeds = await seedsOf(format);
    const random = randomFrom(SEED);
    let refused = 0;
    for (let round = 0; round < MUTATIONS; round++) {
      const bytes = mutated(seeds[random(seeds.length)] as Uint8Array, random);
      try {
        const files = await unpack(bytes, quiet, format, { limits: LIMITS });
        let total = 0;
        for (const content of files.values()) total += content.length;
        // Hard links are the bytes of another file.
        expect(total, `round ${round}`).toBeLessThanOrEqual(2 * LIMITS.totalBytes);
      } catch (error) {
        if (!(error instanceof HostFailure)) throw new Error(`round ${round} of seed ${SEED}`, { cause: error });
        expect(error.message, `round ${round}`).toMatch(/^The archive .* could not be unpacked: ./s);
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(MUTATIONS / 10);
  },
  60_000 + MUTATIONS * 20,
);
