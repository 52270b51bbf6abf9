/** CRC-32 of zip and gzip (polynomial 0xEDB88320), four bytes a step. */

/** Table 0 advances the checksum by one byte, table n by n more zero bytes. */
const TABLES = Array.from({ length: 4 }, () => new Uint32Array(256)) as [
  Uint32Array,
  Uint32Array,
  Uint32Array,
  Uint32Array,
];
for (let byte = 0; byte < 256; byte++) {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  TABLES[0][byte] = crc;
}
for (let table = 1; table < 4; table++) {
  for (let byte = 0; byte < 256; byte++) {
    const crc = at(table - 1, byte);
    (TABLES[table] as Uint32Array)[byte] = (crc >>> 8) ^ at(0, crc & 255);
  }
}

function at(table: number, byte: number): number {
  return TABLES[table]?.[byte] as number;
}

/**
 * The checksum of `bytes`.
 *
 * @param before checksum of the bytes before these, to go on from.
 */
export function crc32(bytes: Uint8Array, before = 0): number {
  const [one, two, three, four] = TABLES;
  let crc = ~before;
  const whole = bytes.length - (bytes.length % 4);
  for (let index = 0; index < whole; index += 4) {
    const word =
      crc ^
      ((bytes[index] as number) |
        ((bytes[index + 1] as number) << 8) |
        ((bytes[index + 2] as number) << 16) |
        ((bytes[index + 3] as number) << 24));
    crc =
      (four[word & 255] as number) ^
      (three[(word >>> 8) & 255] as number) ^
      (two[(word >>> 16) & 255] as number) ^
      (one[word >>> 24] as number);
  }
  for (let index = whole; index < bytes.length; index++) {
    crc = (one[(crc ^ (bytes[index] as number)) & 255] as number) ^ (crc >>> 8);
  }
  return ~crc >>> 0;
}
