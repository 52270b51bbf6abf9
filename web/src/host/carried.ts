/** What an engine's client has in the engine, as far as it goes on in another instance: sessions and prepared statements. */

import { type SessionState, STAMP_IN_TRANSACTION, STAMP_IS_BOUND } from '../protocol/index.ts';

/** The stamp, which is all that there is of a state that is too large. */
const STAMP_BYTES = 4;

/** A larger state is not copied out after a statement: it is lost when the engine dies, and the session gets an error. */
export const IMAGE_BYTES_MAX = 16 * 2 ** 20;

export class CarriedSession {
  /** In the instance. */
  number: number;
  /** Its state as the instance told it last; null where it is that of a new one, or too large. */
  image: Uint8Array | null = null;
  isTooLarge = false;
  /** Of the image. */
  #stamp = 0;
  /** Of the last statement. */
  #lastStamp = 0;
  /** Whether the client knows the image. */
  #isTold = false;

  constructor(number: number) {
    this.number = number;
  }

  get isInTransaction(): boolean {
    return (this.#lastStamp & STAMP_IN_TRANSACTION) !== 0;
  }

  /** Whether it has something that no other instance could have. */
  get isBound(): boolean {
    return (this.#lastStamp & (STAMP_IN_TRANSACTION | STAMP_IS_BOUND)) !== 0;
  }

  /** A statement has ended: whether the image is an old one. */
  hears(stamp: number): boolean {
    this.#lastStamp = stamp;
    return (stamp & ~STAMP_IN_TRANSACTION) !== (this.#stamp & ~STAMP_IN_TRANSACTION);
  }

  take(image: Uint8Array): void {
    const stamp = new DataView(image.buffer, image.byteOffset).getUint32(0, true);
    this.#lastStamp = stamp;
    this.#stamp = stamp;
    this.#isTold = false;
    this.isTooLarge = image.length === STAMP_BYTES;
    this.image = this.isTooLarge ? null : image.slice();
  }

  /** @param engine the image of what the sessions of the engine share */
  tell(engine: Uint8Array | null): SessionState {
    const { isInTransaction, image } = this;
    if (this.#isTold) return { isInTransaction };
    this.#isTold = true;
    return { isInTransaction, image: image === null || engine === null ? null : { session: image, engine } };
  }

  /** It goes on in another instance, without its transaction. */
  movedTo(number: number): void {
    this.number = number;
    this.#lastStamp &= ~(STAMP_IN_TRANSACTION | STAMP_IS_BOUND);
  }
}

export interface CarriedStatement {
  number: number;
  readonly session: number;
  readonly sql: string;
}

/** Things by numbers that stay the same in every instance. */
export class Numbered<T> {
  readonly #things = new Map<number, T>();
  #last = -1;

  add(thing: T): number {
    this.#things.set(++this.#last, thing);
    return this.#last;
  }

  get(number: number): T | undefined {
    return this.#things.get(number);
  }

  delete(number: number): void {
    this.#things.delete(number);
  }

  entries(): IterableIterator<[number, T]> {
    return this.#things.entries();
  }
}
