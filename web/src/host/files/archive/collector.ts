/** Memory for one entry: never more than its declared size, and that only as its bytes come. */

const FIRST_BYTES = 1024 * 1024;

export class Collector {
  readonly #declaredBytes: number;
  #buffer: Uint8Array;
  #length = 0;

  constructor(declaredBytes: number) {
    this.#declaredBytes = declaredBytes;
    this.#buffer = new Uint8Array(Math.min(declaredBytes, FIRST_BYTES));
  }

  get length(): number {
    return this.#length;
  }

  /** False when the piece exceeds the declared size. */
  add(piece: Uint8Array): boolean {
    const end = this.#length + piece.length;
    if (end > this.#declaredBytes) return false;
    if (end > this.#buffer.length) {
      const larger = new Uint8Array(Math.min(this.#declaredBytes, Math.max(end, 2 * this.#buffer.length)));
      larger.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = larger;
    }
    this.#buffer.set(piece, this.#length);
    this.#length = end;
    return true;
  }

  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }
}
