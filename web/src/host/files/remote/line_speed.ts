/** How fast a line is, by the answers that came over it: its round trip, and its bandwidth while requests were under way. */
export class LineSpeed {
  readonly #now: () => number;
  #underWay = 0;
  /** When the line became busy, and the bytes that came since. */
  #since = 0;
  #bytes = 0;
  #bytesPerMs = 0;
  #roundTripMs = Number.POSITIVE_INFINITY;

  /** @param now the clock, in ms */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** A request goes out. Gives what to call when its answer is here, with its bytes. */
  request(): (bytes: number) => void {
    const start = this.#now();
    if (this.#underWay++ === 0) {
      this.#since = start;
      this.#bytes = 0;
    }
    return bytes => {
      const now = this.#now();
      this.#underWay--;
      this.#bytes += bytes;
      if (bytes === 0 || now <= this.#since) return;
      this.#roundTripMs = Math.min(this.#roundTripMs, now - start);
      this.#bytesPerMs = Math.max(this.#bytesPerMs, this.#bytes / (now - this.#since));
    };
  }

  /** The bytes that come while one would wait for so many round trips; 0 before the first answer. */
  bytesIn(roundTrips: number): number {
    return this.#bytesPerMs === 0 ? 0 : this.#bytesPerMs * this.#roundTripMs * roundTrips;
  }
}
