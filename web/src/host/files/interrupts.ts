/** Interruption of reads that wait for the network. */
import { FileFault } from './file.ts';

/** Lets a waiting read end before its bytes come. */
export class Interrupts {
  readonly #waiting = new Set<(fault: FileFault) => void>();

  orElse<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.add(reject);
      work.then(resolve, reject).finally(() => this.#waiting.delete(reject));
    });
  }

  all(): void {
    for (const reject of this.#waiting) reject(new FileFault('cancelled', 'The read was cancelled'));
  }
}
