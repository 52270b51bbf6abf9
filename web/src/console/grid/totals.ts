/** What the numbers of some cells come to. Pure. */
import type { GridRows } from './rows.ts';
import { cellCount, type Rectangle } from './selection.ts';

/** More cells than that take longer than one waits for a line at the edge of the page. */
const TOTALS_CELLS_MAX = 200_000;

export interface Totals {
  /** Numbers among the cells: NULL and text are none. */
  readonly count: number;
  /** To the last digit, unless there are floating-point numbers among them. */
  readonly sum: string;
  readonly mean: number;
}

const NUMBERS = new Set(['int', 'decimal', 'float']);

/** Undefined for fewer than two numbers, and for too many cells. */
export function totalsOf(rows: GridRows, area: Rectangle): Totals | undefined {
  if (cellCount(area) > TOTALS_CELLS_MAX) return undefined;
  const exact = new ExactSum();
  let [count, floating, isExact] = [0, 0, true];
  for (let column = area.firstColumn; column < area.endColumn; column += 1) {
    const kind = rows.columns[column]?.kind ?? '';
    if (!NUMBERS.has(kind)) continue;
    for (let row = area.firstRow; row < area.endRow; row += 1) {
      const text = rows.text(row, column);
      if (text === null || text === undefined) continue;
      count += 1;
      floating += Number(text);
      isExact &&= kind !== 'float' && exact.add(text);
    }
  }
  if (count < 2 || !Number.isFinite(floating)) return undefined;
  return { count, sum: isExact ? exact.toString() : shortNumber(floating), mean: floating / count };
}

/** The sum of decimals, whose digits a double would lose. */
class ExactSum {
  #units = 0n;
  /** Digits behind the point. */
  #scale = 0;

  /** False for what is no plain decimal. */
  add(text: string): boolean {
    const match = /^(-?\d+)(?:\.(\d+))?$/.exec(text);
    if (match === null) return false;
    const digits = match[2] ?? '';
    if (digits.length > this.#scale) {
      this.#units *= 10n ** BigInt(digits.length - this.#scale);
      this.#scale = digits.length;
    }
    this.#units += BigInt(`${match[1]}${digits}`) * 10n ** BigInt(this.#scale - digits.length);
    return true;
  }

  toString(): string {
    const sign = this.#units < 0n ? '-' : '';
    const digits = (this.#units < 0n ? -this.#units : this.#units).toString().padStart(this.#scale + 1, '0');
    const whole = BigInt(digits.slice(0, digits.length - this.#scale)).toLocaleString('en-US');
    return `${sign}${whole}${this.#scale === 0 ? '' : `.${digits.slice(-this.#scale)}`}`;
  }
}

/** `12,345.67`, `0.000123`: as much as one reads. */
export function shortNumber(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: Math.abs(value) < 1e6 ? 6 : 12 });
}
