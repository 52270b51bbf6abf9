import type { BatchColumn, Column, Value } from '../../lib/index.ts';
import { lookOf } from './cells.ts';

/** One value that a person typed, where a column of a batch is asked for. */
export class TypedValue implements BatchColumn {
  readonly column: Column;
  readonly length = 1;
  readonly #typed: string | null;

  constructor(column: Column, typed: string | null) {
    this.column = column;
    this.#typed = typed;
  }

  isNull(): boolean {
    return this.#typed === null;
  }

  value(): Value {
    const typed = this.#typed;
    if (typed === null) return null;
    if (this.column.kind === 'json') {
      try {
        return JSON.parse(typed) as Value;
      } catch {
        return typed;
      }
    }
    if (lookOf(this.column) !== 'bytes' || !/^0x([0-9a-f]{2})*$/i.test(typed)) return typed;
    return Uint8Array.from(typed.slice(2).match(/../g) ?? [], pair => Number.parseInt(pair, 16));
  }

  text(): string | null {
    return this.#typed;
  }

  values(): readonly Value[] {
    return [this.value()];
  }
}
