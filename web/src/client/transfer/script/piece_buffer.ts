/** So much of a text goes to the worker at once, unless something is longer that has to come whole. */
export const PIECE_BYTES = 1 << 20;

export const NEWLINE = 10;

export function linesIn(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) lines++;
  return lines;
}

/** Cuts a text that comes in any pieces into those that the worker gets: what is not whole at the end of one comes again with the next. */
export class PieceBuffer {
  /** What waits; put together it would be copied for each that comes. */
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  readonly #pieceBytes: number;
  #wantedBytes: number;
  /** The last piece, whose memory serves the next one: new memory costs more than what is copied into it. */
  #piece = new Uint8Array();

  constructor(pieceBytes = PIECE_BYTES) {
    this.#pieceBytes = pieceBytes;
    this.#wantedBytes = pieceBytes;
  }

  push(bytes: Uint8Array): void {
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
  }

  /** How many bytes wait. */
  get length(): number {
    return this.#waitingBytes;
  }

  /** Whether there is enough for a piece. */
  get isFull(): boolean {
    return this.#waitingBytes >= this.#wantedBytes;
  }

  /** The next piece, which is there until the one after it is taken. @param isEnd nothing else comes. */
  take(isEnd: boolean): { readonly bytes: Uint8Array; readonly isLast: boolean } {
    const length = Math.min(this.#wantedBytes, this.#waitingBytes);
    if (this.#piece.length !== length) this.#piece = new Uint8Array(length);
    const bytes = this.#piece;
    let [at, taken] = [0, 0];
    for (; at < bytes.length; taken++) {
      const next = this.#waiting[taken] as Uint8Array;
      const part = next.subarray(0, bytes.length - at);
      bytes.set(part, at);
      at += part.length;
      if (part.length < next.length) this.#waiting[taken--] = next.subarray(part.length);
    }
    this.#waiting.splice(0, taken);
    this.#waitingBytes -= bytes.length;
    return { bytes, isLast: isEnd && this.#waitingBytes === 0 };
  }

  /** What of a piece is not done with comes again. */
  giveBack(rest: Uint8Array): void {
    if (rest.length > 0) this.#waiting.unshift(rest.slice());
    this.#waitingBytes += rest.length;
    // Twice of what has begun: however long that is, its beginning is looked at again a few times only.
    this.#wantedBytes = Math.max(Math.min(2 * this.#wantedBytes, this.#pieceBytes), 2 * rest.length);
  }

  /** From now on pieces are so short, and grow again. */
  shorten(bytes: number): void {
    this.#wantedBytes = bytes;
  }
}
