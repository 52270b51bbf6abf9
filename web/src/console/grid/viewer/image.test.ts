import { expect, test } from 'vitest';
import { imageType } from './image.ts';

const bytesOf = (text: string) => Uint8Array.from(text, letter => letter.charCodeAt(0));

test('bytes are a picture by how they begin', () => {
  expect(imageType(bytesOf('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'))).toBe('image/png');
  expect(imageType(bytesOf('\xff\xd8\xff\xe0\0\x10JFIF'))).toBe('image/jpeg');
  expect(imageType(bytesOf('GIF89a\x01\0'))).toBe('image/gif');
  expect(imageType(bytesOf('RIFF\n\r\0\0WEBPVP8 '))).toBe('image/webp');
  expect(imageType(bytesOf('\0\0\0 ftypavif\0\0'))).toBe('image/avif');
  expect(imageType(bytesOf('BMx\0\0\0\0\0\0\0'))).toBe('image/bmp');
  for (const other of ['', 'PNG', 'BM is the name of a place', '<svg onload="alert(1)">', 'RIFF\n\r\0\0WAVEfmt '])
    expect(imageType(bytesOf(other))).toBeUndefined();
});
