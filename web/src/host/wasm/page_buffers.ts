/** Smaller pages are copied into memory of their own: that costs less than sending it back. In Chromium new memory for 12 kB takes 12 us, the copy 0.2. */
const SMALL_BYTES = 4 * 1024;
/** What is kept at most: a few more buffers than are on their way to one reader, and no more bytes together. */
const KEPT_BUFFERS = 8;
const KEPT_BYTES_MAX = 8 * 1024 * 1024;
/** Pages of one result differ a little in length. */
const ROUNDED_BYTES = 4 * 1024;

/**
 * The buffers in which pages leave. Readers give them back when they are done with a page, for memory that is new to the process
 * costs several times the copy into it.
 */
export class PageBuffers {
  #free: ArrayBuffer[] = [];
  #isGivenBack = false;

  /** A copy of bytes, in a buffer that may be longer. */
  copy(bytes: Uint8Array): ArrayBuffer {
    const { byteOffset: start, length } = bytes;
    if (!this.#isGivenBack && length >= SMALL_BYTES) return (bytes.buffer as ArrayBuffer).slice(start, start + length);
    // Of a small one the copy is nothing: what counts is what the browser does around it, and for `slice` it does twice as much.
    const buffer = length < SMALL_BYTES ? new ArrayBuffer(length) : this.#take(length);
    new Uint8Array(buffer).set(bytes);
    return buffer;
  }

  giveBack(buffers: readonly ArrayBuffer[]): void {
    this.#isGivenBack = true;
    for (const buffer of buffers) {
      const isKept = buffer.byteLength >= SMALL_BYTES && buffer.byteLength <= KEPT_BYTES_MAX;
      if (isKept) this.#free.push(buffer);
    }
    // The oldest go first: they fitted an earlier result.
    this.#free = this.#free.slice(-KEPT_BUFFERS);
    while (this.bytes > KEPT_BYTES_MAX) this.#free.shift();
  }

  /** What is kept. */
  get bytes(): number {
    return this.#free.reduce((sum, buffer) => sum + buffer.byteLength, 0);
  }

  /** Lets go of all. */
  forget(): void {
    this.#free = [];
  }

  #take(bytes: number): ArrayBuffer {
    const fits = (buffer: ArrayBuffer): boolean => buffer.byteLength >= bytes && buffer.byteLength <= 4 * bytes;
    const at = this.#free.findIndex(fits);
    const [buffer] = at < 0 ? [] : this.#free.splice(at, 1);
    return buffer ?? new ArrayBuffer(Math.ceil(bytes / ROUNDED_BYTES) * ROUNDED_BYTES);
  }
}
