import { describe, expect, it } from 'vitest';
import { MemoryScratchStore, Scratch } from './scratch.ts';

const MIB = 1 << 20;

/** Bytes that differ from place to place. */
function pattern(length: number, seed: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => (index * 31 + seed * 17 + (index >> 8)) & 255);
}

describe('temporary files', () => {
  it('keep what is written across extents, side by side', () => {
    const scratch = new Scratch(new MemoryScratchStore());
    const files = [1, 2].map(seed => ({ file: scratch.open(), bytes: pattern(2 * MIB + 4321, seed) }));
    const step = 300_007;
    for (let at = 0; at < 3 * MIB; at += step) {
      for (const { file, bytes } of files) file.writes?.write(Math.min(at, bytes.length), bytes.slice(at, at + step));
    }
    for (const { file, bytes } of files) {
      expect(file.length).toBe(bytes.length);
      const read = new Uint8Array(MIB + 99);
      file.read(MIB - 50, read);
      // Element by element the runner would take minutes.
      expect(Buffer.compare(read, bytes.slice(MIB - 50, 2 * MIB + 49))).toBe(0);
    }
    expect(() => files[0]?.file.read(2 * MIB, new Uint8Array(MIB))).toThrow('past the end');
  });

  it('use the room of closed ones again', () => {
    const written: number[] = [];
    const memory = new MemoryScratchStore();
    const scratch = new Scratch({
      read: (offset, dest) => memory.read(offset, dest),
      write(offset, bytes) {
        written.push(offset);
        memory.write(offset, bytes);
      },
    });
    for (let round = 0; round < 5; round += 1) {
      const file = scratch.open();
      file.writes?.write(0, pattern(3 * MIB, round));
      file.release?.();
    }
    expect(Math.max(...written)).toBe(2 * MIB);
  });
});
