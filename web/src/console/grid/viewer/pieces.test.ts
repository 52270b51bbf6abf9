import { expect, test } from 'vitest';
import { PIECE_CHARS, piecesOf } from './pieces.ts';

test('pieces are the whole text, none is long, and none cuts a line that is short or a character', () => {
  const lines = Array.from({ length: 20_000 }, (_, line) => `line ${line}\n`).join('');
  const faces = '🌱'.repeat(PIECE_CHARS);
  for (const text of ['', 'a', lines, `x${faces}`, 'y'.repeat(2 * PIECE_CHARS)]) {
    const pieces = piecesOf(text);
    expect(pieces.join('')).toBe(text);
    expect(pieces.every(({ length }) => length > 0 && length <= PIECE_CHARS)).toBe(true);
  }
  expect(piecesOf(lines).every(piece => piece.endsWith('\n'))).toBe(true);
  expect(piecesOf(`x${faces}`).every(piece => !/^[\udc00-\udfff]/.test(piece))).toBe(true);
  expect(piecesOf('y'.repeat(2 * PIECE_CHARS))).toHaveLength(2);
});

test('a text without line ends is cut once, not looked through for each piece', () => {
  expect(piecesOf('y'.repeat(1200 * PIECE_CHARS))).toHaveLength(1200);
});
