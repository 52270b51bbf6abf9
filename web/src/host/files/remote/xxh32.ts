/** xxHash32: a checksum of several gigabytes per second. Not against malice. */

const PRIME_1 = 0x9e3779b1;
const PRIME_2 = 0x85ebca77;
const PRIME_3 = 0xc2b2ae3d;
const PRIME_4 = 0x27d4eb2f;
const PRIME_5 = 0x165667b1;

export function xxh32(bytes: Uint8Array, seed = 0): number {
  // Words are read in the order of the machine, which is little-endian wherever WebAssembly runs.
  const isAligned = (bytes.byteOffset & 3) === 0;
  const words = isAligned
    ? new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2)
    : new Uint32Array(new Uint8Array(bytes.subarray(0, bytes.length & ~3)).buffer);
  let at = 0;
  let hash: number;
  if (words.length >= 4) {
    let a = (seed + PRIME_1 + PRIME_2) | 0;
    let b = (seed + PRIME_2) | 0;
    let c = seed | 0;
    let d = (seed - PRIME_1) | 0;
    for (const end = words.length & ~3; at < end; at += 4) {
      a = round(a, words[at] as number);
      b = round(b, words[at + 1] as number);
      c = round(c, words[at + 2] as number);
      d = round(d, words[at + 3] as number);
    }
    hash = rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18);
  } else hash = seed + PRIME_5;
  hash = (hash + bytes.length) | 0;
  for (; at < words.length; at++) {
    hash = Math.imul(rotate((hash + Math.imul(words[at] as number, PRIME_3)) | 0, 17), PRIME_4);
  }
  for (let byte = at * 4; byte < bytes.length; byte++) {
    hash = Math.imul(rotate((hash + Math.imul(bytes[byte] as number, PRIME_5)) | 0, 11), PRIME_1);
  }
  hash = Math.imul(hash ^ (hash >>> 15), PRIME_2);
  hash = Math.imul(hash ^ (hash >>> 13), PRIME_3);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function round(lane: number, word: number): number {
  return Math.imul(rotate((lane + Math.imul(word, PRIME_2)) | 0, 13), PRIME_1);
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}
