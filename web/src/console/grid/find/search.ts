import { signal } from '@preact/signals';

/** The search in rows. It outlives them: those that come next are looked through for the same text. */
export class Search {
  readonly isOpen = signal(false);
  readonly text = signal('');
  /** Goes up with every wish to type into it. */
  readonly wishes = signal(0);
  #served = 0;

  open(): void {
    this.isOpen.value = true;
    this.wishes.value += 1;
  }

  close(): void {
    this.isOpen.value = false;
  }

  /** True once for every request: new rows do not take the focus from another field. */
  takeWish(): boolean {
    const isNew = this.wishes.peek() !== this.#served;
    this.#served = this.wishes.peek();
    return isNew;
  }
}
