/** A value now, or a promise of it where the engine's stack was suspended. Plain values stay plain: no turn of the event loop. */
export type Later<T> = T | Promise<T>;

export function after<T, R>(value: Later<T>, use: (value: T) => R): Later<R> {
  return value instanceof Promise ? value.then(use) : use(value);
}

/** Does something once a call has answered or failed. */
export function afterwards<T>(call: () => Later<T>, done: () => void): Later<T> {
  let isLater = false;
  try {
    const answered = call();
    isLater = answered instanceof Promise;
    return answered instanceof Promise ? answered.finally(done) : answered;
  } finally {
    if (!isLater) done();
  }
}

/** One at a time: while a call into the engine is suspended, no other may enter it. */
export class Exclusive {
  #tail: Promise<unknown> | null = null;

  run<T>(work: () => Later<T>): Later<T> {
    if (this.#tail !== null) return this.#hold(this.#tail.then(work));
    const result = work();
    return result instanceof Promise ? this.#hold(result) : result;
  }

  #hold<T>(result: Promise<T>): Promise<T> {
    const tail = result
      .catch(() => {})
      .then(() => {
        if (this.#tail === tail) this.#tail = null;
      });
    this.#tail = tail;
    return result;
  }
}
