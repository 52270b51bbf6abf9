import { describe, expect, it } from 'vitest';
import { PageBuffers } from './page_buffers.ts';

const bytes = (length: number, value: number): Uint8Array => new Uint8Array(length).fill(value);
const start = (buffer: ArrayBuffer, length: number): Uint8Array => new Uint8Array(buffer, 0, length);

describe('PageBuffers', () => {
  it('gives out buffers that came back, and no buffer twice', () => {
    const pages = new PageBuffers();
    const first = pages.copy(bytes(20_000, 1));
    expect(first.byteLength).toBe(20_000);
    pages.giveBack([first]);
    const second = pages.copy(bytes(19_000, 2));
    expect(second).toBe(first);
    expect(start(second, 19_000)).toEqual(bytes(19_000, 2));
    const third = pages.copy(bytes(19_000, 3));
    expect(third).not.toBe(second);
    expect(start(third, 19_000)).toEqual(bytes(19_000, 3));
  });

  it('keeps neither small buffers nor ones that are too short or far too long', () => {
    const pages = new PageBuffers();
    pages.giveBack([new ArrayBuffer(100), new ArrayBuffer(20_000), new ArrayBuffer(1_000_000)]);
    expect(pages.copy(bytes(100, 1)).byteLength).toBe(100);
    expect(pages.copy(bytes(40_000, 1)).byteLength).toBe(40_960);
  });

  it('keeps a few', () => {
    const pages = new PageBuffers();
    const many = Array.from({ length: 20 }, () => new ArrayBuffer(20_000));
    pages.giveBack(many);
    const out = Array.from({ length: 20 }, () => pages.copy(bytes(20_000, 1)));
    expect(out.filter(buffer => many.includes(buffer)).length).toBe(8);
  });

  it('large buffers are kept up to so many bytes together, not each', () => {
    const pages = new PageBuffers();
    pages.giveBack(Array.from({ length: 8 }, () => new ArrayBuffer(3 * 2 ** 20)));
    expect(pages.bytes).toBe(6 * 2 ** 20);
    pages.giveBack([new ArrayBuffer(9 * 2 ** 20)]);
    expect(pages.bytes).toBe(6 * 2 ** 20);
    pages.forget();
    expect(pages.bytes).toBe(0);
  });
});
