import { expect, test } from 'vitest';
import { PieceBuffer } from './piece_buffer.ts';

const ENCODER = new TextEncoder();

/** Sends lines in pieces to a consumer of whole lines, and gives what came. */
function sentLines(parts: readonly string[], pieceBytes: number): string {
  const buffer = new PieceBuffer(pieceBytes);
  let [came, longest] = ['', 0];
  const send = (isEnd: boolean): boolean => {
    const { bytes, isLast } = buffer.take(isEnd);
    longest = Math.max(longest, bytes.length);
    const done = isLast ? bytes.length : bytes.lastIndexOf(10) + 1;
    came += new TextDecoder().decode(bytes.subarray(0, done));
    buffer.giveBack(bytes.subarray(done));
    return isLast;
  };
  for (const part of parts) {
    buffer.push(ENCODER.encode(part));
    while (buffer.isFull) send(false);
  }
  while (!send(true));
  expect(longest).toBeLessThan(4 * pieceBytes + 200);
  return came;
}

test('what is not whole in a piece comes again with the next one, and nothing is lost', () => {
  const text = Array.from({ length: 50 }, (_, line) => `${line}: ${'x'.repeat((line * 7) % 97)}\n`).join('');
  for (const partLength of [1, 10, 63, 64, 65, 1000, text.length]) {
    const parts = Array.from({ length: Math.ceil(text.length / partLength) }, (_, at) =>
      text.slice(at * partLength, (at + 1) * partLength),
    );
    for (const pieceBytes of [1, 64, 100, 1 << 20]) expect(sentLines(parts, pieceBytes)).toBe(text);
  }
  expect(sentLines([], 10)).toBe('');
});
