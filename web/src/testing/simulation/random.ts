/** A seeded generator of pseudo-random numbers (xoshiro128**, seeded by splitmix32): the same seed gives the same schedule. */
export class Random {
  readonly #state: Uint32Array;

  constructor(seed: number) {
    let at = seed >>> 0;
    this.#state = Uint32Array.from({ length: 4 }, () => {
      at = (at + 0x9e3779b9) >>> 0;
      let mixed = at ^ (at >>> 16);
      mixed = Math.imul(mixed, 0x21f0aaad);
      mixed ^= mixed >>> 15;
      mixed = Math.imul(mixed, 0x735a2d97);
      return (mixed ^ (mixed >>> 15)) >>> 0;
    });
  }

  /** 32 bits. */
  bits(): number {
    const s = this.#state;
    const [a, b, c, d] = [s[0] ?? 0, s[1] ?? 0, s[2] ?? 0, s[3] ?? 0];
    const times5 = Math.imul(b, 5);
    const result = Math.imul((times5 << 7) | (times5 >>> 25), 9) >>> 0;
    const c2 = c ^ a;
    const d2 = d ^ b;
    s[1] = b ^ c2;
    s[0] = a ^ d2;
    s[2] = c2 ^ (b << 9);
    s[3] = (d2 << 11) | (d2 >>> 21);
    return result;
  }

  /** A whole number of at least 0 and less than `end`. */
  below(end: number): number {
    return Math.floor((this.bits() / 2 ** 32) * end);
  }

  /** A fraction of at least 0 and less than 1. */
  fraction(): number {
    return this.bits() / 2 ** 32;
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }

  /** A delay in milliseconds: mostly short, now and then of `longMs`. */
  delay(shortMs: number, longMs: number): number {
    return this.chance(0.05) ? this.fraction() * longMs : this.fraction() * shortMs;
  }
}
