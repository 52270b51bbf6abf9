import { expect, test } from 'vitest';
import { unpack } from './archive.ts';

const quiet = () => {};

async function gzipped(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** One file. */
function tarOf(name: string, content: Uint8Array): Uint8Array<ArrayBuffer> {
  const tar = new Uint8Array(512 + Math.ceil(content.length / 512) * 512 + 1024);
  const put = (text: string, at: number) => tar.set(new TextEncoder().encode(text), at);
  put(name, 0);
  put(content.length.toString(8).padStart(11, '0'), 124);
  put('        0', 148);
  put('ustar\x0000', 257);
  const sum = tar.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  put(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  tar.set(content, 512);
  return tar;
}

// A browser's DecompressionStream takes the second member for junk, Node's goes on.
test('gzip of several members unpacks in the browser, from memory and from a Blob', async () => {
  const content = Uint8Array.from({ length: 300_000 }, (_, index) => (index * 7 + (index >> 8)) & 255);
  const tar = tarOf('db/.dolt/a', content);
  const members = await Promise.all(
    [tar.subarray(0, 100), tar.subarray(100, 70_000), tar.subarray(70_000)].map(part => gzipped(part.slice())),
  );
  const archive = new Blob(members as Uint8Array<ArrayBuffer>[]);
  for (const packed of [archive, new Uint8Array(await archive.arrayBuffer())]) {
    const files = await unpack(packed, quiet);
    expect(files.get('db/.dolt/a')).toEqual(content);
  }
  await expect(unpack(archive.slice(0, archive.size - 9), quiet)).rejects.toThrow('could not be unpacked');
});

test('a bomb stops within a step of what it declares', async () => {
  const bomb = await gzipped(new Uint8Array(80 * 1024 * 1024));
  await expect(unpack(bomb, quiet)).rejects.toThrow(/would unpack|no tar header|cut off/);
});
