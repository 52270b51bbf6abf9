/** Which picture some bytes are, by how they begin. Pure. */

/** Signatures of the formats that browsers show, in hexadecimal. */
const SIGNATURES: readonly (readonly [type: string, start: RegExp])[] = [
  ['image/png', /^89504e470d0a1a0a/],
  ['image/jpeg', /^ffd8ff/],
  ['image/gif', /^47494638(37|39)61/],
  // RIFF, a length, WEBP
  ['image/webp', /^52494646.{8}57454250/],
  // A length, ftypavif or ftypavis
  ['image/avif', /^.{8}66747970617669(66|73)/],
  // BM, a length, and four reserved bytes
  ['image/bmp', /^424d.{8}00000000/],
];

/** The type of the picture that these bytes hold; undefined where they are none that browsers show. */
export function imageType(bytes: Uint8Array): string | undefined {
  const start = Array.from(bytes.subarray(0, 16), byte => byte.toString(16).padStart(2, '0')).join('');
  return SIGNATURES.find(([, signature]) => signature.test(start))?.[0];
}
