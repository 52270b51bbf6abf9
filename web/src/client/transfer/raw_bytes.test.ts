import { expect, test } from 'vitest';
import { KeepingDecoder, withHexLiterals } from './raw_bytes.ts';

const ENCODER = new TextEncoder();

function bytesOf(...parts: readonly (string | readonly number[])[]): Uint8Array {
  return Uint8Array.from(parts.flatMap(part => (typeof part === 'string' ? [...ENCODER.encode(part)] : part)));
}

function decoded(bytes: Uint8Array, pieceBytes: number): string {
  const decoder = new KeepingDecoder();
  let text = '';
  for (let at = 0; at < bytes.length; at += pieceBytes) text += decoder.decode(bytes.subarray(at, at + pieceBytes));
  return text + decoder.end();
}

test('text is text, wherever it is cut', () => {
  const text = "INSERT INTO t VALUES ('é 日本 🎉 \ufeff')";
  for (const size of [1, 2, 3, 4, 5, 100]) expect(decoded(ENCODER.encode(`\ufeff${text}`), size)).toBe(text);
});

test('bytes that are no UTF-8 come back as digits, wherever they are cut', () => {
  // A cut character, a byte that begins none, an overlong form, a surrogate, and one that is cut by the end.
  const wrong = [0xe6, 0x97, 0x41, 0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80, 0xf4, 0x90, 0xe6, 0x97];
  const sql = bytesOf("INSERT INTO t VALUES (_binary '", wrong, "', 'é🎉')");
  for (const size of [1, 2, 3, 7, 1000]) {
    expect(withHexLiterals(decoded(sql, size))).toBe(
      "INSERT INTO t VALUES (_binary x'e69741ffc080eda080f490e697', 'é🎉')",
    );
  }
});

test('escapes of a literal are undone before its bytes are written', () => {
  const sql = bytesOf("VALUES ('\\0\\n\\Z\\'''\\\\é", [0x89], '\', "a""', [0xff], '", `', [0xff], "`) -- '", [0xfe]);
  const text = withHexLiterals(decoded(sql, 1000));
  expect(text).toContain("VALUES (x'000a1a27275cc3a989', x'6122ff', `");
  expect(text.endsWith("-- '\udcfe")).toBe(true);
});

test('a statement without such bytes is left alone', () => {
  const sql = "SELECT 'it''s', '🎉', \"x\\\"y\"";
  expect(withHexLiterals(sql)).toBe(sql);
});
