import { expect, test } from 'vitest';
import { rowsDecoder, utf8Pieces } from './encodings.ts';

const ENCODER = new TextEncoder();

function slices(bytes: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.slice(at * size, (at + 1) * size));
}

async function script(bytes: Uint8Array, size: number, encoding?: string): Promise<Uint8Array> {
  const found: number[] = [];
  async function* input(): AsyncIterableIterator<Uint8Array> {
    yield* slices(bytes, size);
  }
  for await (const piece of utf8Pieces(input(), encoding)) found.push(...piece.bytes);
  return Uint8Array.from(found);
}

test('text is text, wherever it is cut', () => {
  const text = "INSERT INTO t VALUES ('é 日本 🎉 \ufeff')";
  for (const size of [1, 2, 3, 4, 5, 100]) {
    const decoder = rowsDecoder(undefined);
    const pieces = slices(ENCODER.encode(`\ufeff${text}`), size).map(piece => decoder.decode(piece));
    expect(pieces.join('') + decoder.end()).toBe(text);
  }
});

test('a script loses its mark and keeps bytes that are no UTF-8', async () => {
  const bytes = Uint8Array.from([...ENCODER.encode("VALUES ('é"), 0xff, 0xe6, 0x97, 0x27, 0x29]);
  for (const size of [1, 2, 3, 100]) {
    expect(await script(bytes, size)).toEqual(bytes);
    expect(await script(Uint8Array.from([0xef, 0xbb, 0xbf, ...bytes]), size, 'utf8')).toEqual(bytes);
  }
  expect(await script(new Uint8Array([0x3b]), 1)).toEqual(new Uint8Array([0x3b]));
});

test('strings may be cut within a character, and lose their mark', async () => {
  const text = '\ufeffid,name\n1,日本 😀🎉\n';
  for (let size = 1; size <= text.length; size++) {
    async function* input(): AsyncIterableIterator<string> {
      for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
    }
    const found: number[] = [];
    let inputLength = 0;
    for await (const { bytes, inputBytes } of utf8Pieces(input(), undefined)) {
      found.push(...bytes);
      inputLength += inputBytes;
    }
    expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(found))).toBe(text.slice(1));
    expect(inputLength).toBe(text.length);
  }
});

test('a script in another encoding comes as UTF-8', async () => {
  const text = 'SELECT 😀';
  const utf16 = Uint8Array.from([0xfe, 0xff, ...[...text].flatMap(unit => units(unit))]);
  for (const size of [1, 3, 100]) expect(await script(utf16, size)).toEqual(ENCODER.encode(text));
  expect(await script(Uint8Array.from([0x27, 0xe9, 0x27]), 1, 'windows-1252')).toEqual(ENCODER.encode("'é'"));
});

function units(character: string): number[] {
  return Array.from({ length: character.length }, (_, at) => character.charCodeAt(at)).flatMap(unit => [
    unit >> 8,
    unit & 255,
  ]);
}
