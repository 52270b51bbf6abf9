/** What the column of a new table is, by the values of its rows as they come. Pure. */
import type { Param } from '../types.ts';
import type { ImportRowsOptions, StrayValues } from './transfer_types.ts';
import { dateOf, numberOf } from './written_forms.ts';

export const TEXT = 'longtext';

/** Different texts among numbers or dates that are strays; of more than these a column is one of texts. */
const STRAYS_MAX = 3;

const INT = /^-?(0|[1-9]\d{0,8})$/;
const BIGINT = /^-?(0|[1-9]\d{0,17})$/;
/** With digits before the point or behind it: `.5` and `5.` are numbers. */
const NUMBER = /^-?(0|[1-9]\d*|(?=\.\d))(?:\.(\d*))?(?:e([+-]?\d{1,4}))?$/i;
/** A double keeps fifteen digits of whatever is written. */
const DIGITS_KEPT = 15;
/** MySQL's DECIMAL has so many digits, and so many of them behind the point. */
const DECIMAL_DIGITS_MAX = 65;
const DECIMAL_SCALE_MAX = 30;
/** Without seconds only behind a blank, and with as many digits as DATETIME keeps. */
const MOMENT = /^(\d{4}-\d\d-\d\d)(?: ([01]\d|2[0-3]):[0-5]\d|[ T]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?)?$/;
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
    this.#kinds = [
      new Kind(
        text => NUMBER.test(text),
        numbers,
        () => new Numbers(),
      ),
      new Kind(isMoment, moments, () => new Moments()),
    ];
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
  readonly #isPlain: (text: string) => boolean;
  /** To what SQL writes; null for a text that is not written as was said. */
  readonly #convert: Convert | undefined;
  /** As long as all of them are written as was said. */
  #converted: Narrowing | undefined;
  /** As long as SQL reads all of them as they are. */
  #plain: Narrowing | undefined;
  #fits = 0;
  readonly #texts: string[] = [];
  #firstRow = 0;

  constructor(isPlain: (text: string) => boolean, convert: Convert | undefined, narrowing: () => Narrowing) {
    this.#isPlain = isPlain;
    this.#convert = convert;
    this.#converted = convert && narrowing();
    this.#plain = narrowing();
  }

  add(value: Param, row: number): void {
    if (this.isHopeless) return;
    const text = String(value);
    const converted = this.#convert?.(text) ?? null;
    const isPlain = this.#isPlain(text);
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
  /** None is written with an exponent. */
  #isPlain = true;
  #hasManyDigits = false;
  /** A double gives all digits of each back. */
  #isDouble = true;
  /** Digits before the point, and behind it. */
  #before = 0;
  #behind = 0;

  add(text: string): void {
    if (!INT.test(text)) {
      this.#isInt = false;
      this.#isBigint &&= BIGINT.test(text);
    }
    const { before, behind, written, isPlain } = digitsOf(text);
    this.#isPlain &&= isPlain;
    this.#hasManyDigits ||= written > DIGITS_KEPT;
    this.#isDouble &&= isExact(text, written);
    this.#before = Math.max(this.#before, before);
    this.#behind = Math.max(this.#behind, behind);
  }

  get type(): string {
    if (this.#isInt) return 'int';
    if (this.#isBigint) return 'bigint';
    if (this.#isDouble && !(this.#isPlain && this.#hasManyDigits)) return 'double';
    const digits = this.#before + this.#behind;
    // Numbers with more stay text.
    const isDecimal = this.#behind <= DECIMAL_SCALE_MAX && digits <= DECIMAL_DIGITS_MAX;
    return isDecimal ? `decimal(${digits},${this.#behind})` : TEXT;
  }
}

/** What a number takes without its exponent, and how many digits are written. */
interface Digits {
  readonly before: number;
  readonly behind: number;
  readonly written: number;
  readonly isPlain: boolean;
}

function digitsOf(text: string): Digits {
  const [, whole = '', fraction = '', exponent] = NUMBER.exec(text) ?? [];
  const shift = Number(exponent ?? 0);
  return {
    before: Math.max(1, whole.length + shift),
    behind: Math.max(0, fraction.length - shift),
    written: whole.length + fraction.length,
    isPlain: exponent === undefined,
  };
}

/** Whether a double has the digits that are written, zeros at their ends apart. */
function isExact(text: string, written: number): boolean {
  const value = Number(text);
  // Beyond these a double has fewer digits, or none.
  const isUsual = Math.abs(value) < 1e300 && (Math.abs(value) > 1e-300 || /^[-0.]+(?:e|$)/i.test(text));
  if (isUsual && written <= DIGITS_KEPT) return true;
  return Number.isFinite(value) && significant(text) === significant(String(value));
}

/** The digits from the first to the last that is no zero, and how far before the point they begin. */
function significant(text: string): string {
  const [, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text.replace('e+', 'e')) ?? [];
  const digits = `${whole}${fraction}`;
  const zeros = /^0*/.exec(digits)?.[0].length ?? 0;
  return `${digits.slice(zeros).replace(/0+$/, '')} ${whole.length + Number(exponent) - zeros}`;
}

class Moments implements Narrowing {
  #isDate = true;
  #isMoment = true;

  add(text: string): void {
    this.#isMoment &&= isMoment(text);
    this.#isDate &&= text.length === 'YYYY-MM-DD'.length;
  }

  get type(): string {
    if (!this.#isMoment) return TEXT;
    return this.#isDate ? 'date' : 'datetime(6)';
  }
}

/** Whether it is a day of the calendar, or a time of it. */
function isMoment(text: string): boolean {
  const [, date = ''] = MOMENT.exec(text) ?? [];
  if (date === '') return false;
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  return day >= 1 && day <= days;
}
