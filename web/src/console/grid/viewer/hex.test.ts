import { expect, test } from 'vitest';
import { bytesOfHex, hexDigits, hexLine, hexLineCount } from './hex.ts';

const bytes = Uint8Array.from({ length: 20 }, (_, index) => 0x41 + index);

test('digits, clipped', () => {
  expect(hexDigits(Uint8Array.of(0, 0xde, 0xff))).toBe('00DEFF');
  expect(hexDigits(bytes, 2)).toBe('4142');
  expect(bytesOfHex('00DEff')).toEqual(Uint8Array.of(0, 0xde, 0xff));
});

test('lines of sixteen bytes with their offset and text', () => {
  expect(hexLineCount(bytes, 16)).toBe(2);
  expect(hexLine(bytes, 0, 16)).toEqual({
    offset: '00000000',
    bytes: '41 42 43 44 45 46 47 48  49 4A 4B 4C 4D 4E 4F 50',
    text: 'ABCDEFGHIJKLMNOP',
  });
  expect(hexLine(bytes, 1, 16).offset).toBe('00000010');
  expect(hexLine(bytes, 1, 16).bytes).toHaveLength(48);
  expect(hexLine(Uint8Array.of(0, 0x7f, 0x20), 0, 16).text).toBe('·· ');
  expect(hexLineCount(bytes, 8)).toBe(3);
  expect(hexLine(bytes, 1, 8)).toEqual({ offset: '00000008', bytes: '49 4A 4B 4C 4D 4E 4F 50 ', text: 'IJKLMNOP' });
});
