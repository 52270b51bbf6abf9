/** What the column of a new table is, by the values of its rows as they come. Pure. */
import type { Param } from '../types.ts';
import type { ImportRowsOptions, StrayValues } from './transfer_types.ts';
import { dateOf, numberOf } from './written_forms.ts';

export const TEXT = 'longtext';

/** Different texts among numbers or dates that are strays; of more than these a column is one of texts. */
const STRAYS_MAX = 3;

const INT = /^-?(0|[1-9]\d{0,8})$/;
const BIGINT = /^-?(0|[1-9]\d{0,17})$/;
const PLAIN = /^-?(0|[1-9]\d*)(\.\d+)?$/;
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i;
/** A double keeps fifteen digits of what was written. */
const MANY_DIGITS = /\d[\d.]{15}/;
const DATE = /^\d{4}-\d\d-\d\d$/;
const MOMENT = /^\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d+)?)?)?$/;
/** Digits behind a zero are those of a code. */
const CODE = /^0\d+$/;

/** Finds the narrowest type that holds all values, and those that keep it from being narrower, where they are few. */
export class TypeFinder {
  readonly #nulls: readonly string[];
  readonly #kinds: readonly [numbers: Kind, dates: Kind];
  #count = 0;
  #booleans = 0;
  #objects = 0;
  /** No further value makes it anything but a column of texts. */
  #isText = false;

  constructor({ format, dates, decimal, nulls = [] }: ImportRowsOptions) {
    this.#nulls = nulls;
    // Only texts of CSV are written in one way or another.
    const isWritten = format === 'csv';
    const numbers = isWritten && decimal !== undefined ? (text: string) => numberOf(text, decimal) : undefined;
    const moments = isWritten && dates !== undefined ? (text: string) => dateOf(text, dates) : undefined;
    this.#kinds = [new Kind(NUMBER, numbers, () => new Numbers()), new Kind(MOMENT, moments, () => new Moments())];
  }

  /** @param row of the file, from 1, titles and all */
  add(value: Param, row: number): void {
    // In a column of texts those that mean NULL elsewhere are texts.
    if (this.#isText || value === null) return;
    if (typeof value === 'string' && this.#nulls.includes(value)) return;
    this.#count += 1;
    if (typeof value === 'boolean') this.#booleans += 1;
    else if (typeof value === 'object') this.#objects += 1;
    const [numbers, dates] = this.#kinds;
    numbers.add(value, row);
    dates.add(value, row);
    const isOther = this.#booleans < this.#count && this.#objects < this.#count;
    this.#isText = numbers.isHopeless && dates.isHopeless && isOther;
  }

  found(): { readonly type: string; readonly strays?: StrayValues } {
    if (this.#count === 0 || this.#isText) return { type: TEXT };
    if (this.#booleans === this.#count) return { type: 'tinyint(1)' };
    if (this.#objects === this.#count) return { type: 'json' };
    const whole = this.#kinds.find(({ misfits, type }) => misfits === 0 && type !== TEXT);
    if (whole !== undefined) return { type: whole.type };
    const strays = this.#kinds.map(kind => kind.strays).find(found => found !== undefined);
    return { type: TEXT, ...(strays && { strays }) };
  }
}

/** The narrowest type that holds the texts so far. */
interface Narrowing {
  readonly type: string;
  add(text: string): void;
}

type Convert = (text: string) => string | null;

/** Numbers, or dates: the values of a column that are of this kind, and the few that are not. */
class Kind {
  misfits = 0;
  /** Others than a few texts are among them. */
  isHopeless = false;
  readonly #pattern: RegExp;
  /** To what SQL writes; null for a text that is not written as was said. */
  readonly #convert: Convert | undefined;
  /** As long as all of them are written as was said. */
  #converted: Narrowing | undefined;
  /** As long as SQL reads all of them as they are. */
  #plain: Narrowing | undefined;
  #fits = 0;
  readonly #texts: string[] = [];
  #firstRow = 0;

  constructor(pattern: RegExp, convert: Convert | undefined, narrowing: () => Narrowing) {
    this.#pattern = pattern;
    this.#convert = convert;
    this.#converted = convert && narrowing();
    this.#plain = narrowing();
  }

  add(value: Param, row: number): void {
    if (this.isHopeless) return;
    const text = String(value);
    const converted = this.#convert?.(text) ?? null;
    const isPlain = this.#pattern.test(text);
    if (converted === null && !isPlain) {
      this.#addMisfit(value, row);
      return;
    }
    this.#fits += 1;
    if (converted === null) this.#converted = undefined;
    else this.#converted?.add(converted);
    if (isPlain) this.#plain?.add(text);
    else this.#plain = undefined;
  }

  #addMisfit(value: Param, row: number): void {
    this.misfits += 1;
    if (typeof value !== 'string' || CODE.test(value)) {
      this.isHopeless = true;
      return;
    }
    if (this.#texts.length === 0) this.#firstRow = row;
    if (!this.#texts.includes(value)) this.#texts.push(value);
    this.isHopeless = this.#texts.length > STRAYS_MAX;
  }

  get type(): string {
    return (this.#converted ?? this.#plain)?.type ?? TEXT;
  }

  get strays(): StrayValues | undefined {
    const { type, misfits } = this;
    if (this.isHopeless || misfits === 0 || misfits >= this.#fits || type === TEXT) return undefined;
    return { texts: this.#texts, count: misfits, row: this.#firstRow, type };
  }
}

class Numbers implements Narrowing {
  #isInt = true;
  #isBigint = true;
  #isPlain = true;
  #isLong = false;
  /** Digits before the point, and behind it. */
  #before = 0;
  #behind = 0;

  add(text: string): void {
    if (!INT.test(text)) {
      this.#isInt = false;
      this.#isBigint &&= BIGINT.test(text);
      this.#isPlain &&= PLAIN.test(text);
      this.#isLong ||= MANY_DIGITS.test(text);
    }
    if (!this.#isPlain) return;
    const start = text.startsWith('-') ? 1 : 0;
    const point = text.indexOf('.');
    this.#before = Math.max(this.#before, (point < 0 ? text.length : point) - start);
    if (point >= 0) this.#behind = Math.max(this.#behind, text.length - point - 1);
  }

  get type(): string {
    if (this.#isInt) return 'int';
    if (this.#isBigint) return 'bigint';
    if (!this.#isPlain || !this.#isLong) return 'double';
    // MySQL's DECIMAL has at most 65 digits, 30 of them behind the point; numbers with more stay text.
    const isTooLong = this.#behind > 30 || this.#before + this.#behind > 65;
    return isTooLong ? TEXT : `decimal(${this.#before + this.#behind},${this.#behind})`;
  }
}

class Moments implements Narrowing {
  #isDate = true;
  #isMoment = true;

  add(text: string): void {
    this.#isDate &&= DATE.test(text);
    this.#isMoment &&= this.#isDate || MOMENT.test(text);
  }

  get type(): string {
    if (this.#isDate) return 'date';
    return this.#isMoment ? 'datetime(6)' : TEXT;
  }
}
