/** So many keys are kept to be compared: more take too much memory. */
const KEYS_MAX = 2_000_000;
const NUMBER = /^(0|[1-9]\d{0,14})$/;

/** The keys of rows as texts, to find one that comes again. Pure. */
export class KeySet {
  /** Most keys go up: then each is compared with the last one alone, and a set of texts, which takes longer than all else, is not made. */
  readonly #ascending: number[] = [];
  #last = -1;
  #all: Set<string> | undefined;

  /** No further key is compared with those before. */
  get isFull(): boolean {
    return (this.#all?.size ?? 0) >= KEYS_MAX;
  }

  /** Whether it is another than all before. */
  add(key: string): boolean {
    if (this.#all === undefined) {
      const number = NUMBER.test(key) ? Number(key) : -1;
      if (number > this.#last) {
        this.#last = number;
        this.#ascending.push(number);
        return true;
      }
      this.#all = new Set(this.#ascending.map(String));
      this.#ascending.length = 0;
    }
    if (this.#all.has(key)) return false;
    this.#all.add(key);
    return true;
  }
}
