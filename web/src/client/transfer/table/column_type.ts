/** What the column of a new table is, by the values of its rows as they come. Pure. */
import type { Param } from '../../types.ts';
import type { ImportRowsOptions, StrayValues } from '../transfer_types.ts';
import { dateOf, numberOf } from './written_forms.ts';

export const TEXT = 'longtext';

/** Different texts among numbers or dates that are strays; of more than these a column is one of texts. */
const STRAYS_MAX = 3;

/** Whole numbers of so many digits fit whatever the digits are. */
const INT_DIGITS = 9;
const BIGINT_DIGITS = 18;
const EXPONENT = /^e([+-]?\d{1,4})$/i;
const [ZERO, NINE, POINT] = [0x30, 0x39, 0x2e];
/** A double keeps fifteen digits of whatever is written. */
const DIGITS_KEPT = 15;
/** MySQL's DECIMAL has so many digits, and so many of them behind the point. */
const DECIMAL_DIGITS_MAX = 65;
const DECIMAL_SCALE_MAX = 30;
/** Without seconds only behind a blank, and with as many digits as DATETIME keeps. */
const MOMENT =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?: (?:[01]\d|2[0-3]):[0-5]\d|[ T](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?)?$/;
/** Digits behind a zero are those of a code. */
const CODE = /^0\d+$/;

/** Finds the narrowest type that holds all values, and those that keep it from being narrower, where they are few. */
export class TypeFinder {
  readonly #nulls: readonly string[];
  readonly #kinds: readonly [numbers: Kind<NumberParts>, dates: Kind<string>];
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
    this.#kinds = [new Kind(numberParts, numbers, () => new Numbers()), new Kind(moment, moments, () => new Moments())];
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

/** The narrowest type that holds the values so far. */
interface Narrowing<Parsed> {
  readonly type: string;
  add(value: Parsed): void;
}

type Convert = (text: string) => string | null;

/** Gives undefined for a text of another kind. */
type Parse<Parsed> = (text: string) => Parsed | undefined;

/** Numbers, or dates: the values of a column that are of this kind, and the few that are not. */
class Kind<Parsed> {
  misfits = 0;
  /** Others than a few texts are among them. */
  isHopeless = false;
  readonly #parse: Parse<Parsed>;
  /** To what SQL writes; null for a text that is not written as was said. */
  readonly #convert: Convert | undefined;
  /** As long as all of them are written as was said. */
  #converted: Narrowing<Parsed> | undefined;
  /** As long as SQL reads all of them as they are. */
  #plain: Narrowing<Parsed> | undefined;
  #fits = 0;
  readonly #texts: string[] = [];
  #firstRow = 0;

  constructor(parse: Parse<Parsed>, convert: Convert | undefined, narrowing: () => Narrowing<Parsed>) {
    this.#parse = parse;
    this.#convert = convert;
    this.#converted = convert && narrowing();
    this.#plain = narrowing();
  }

  add(value: Param, row: number): void {
    if (this.isHopeless) return;
    const text = String(value);
    const written = this.#convert?.(text) ?? null;
    const converted = written === null ? undefined : this.#parse(written);
    const plain = this.#parse(text);
    if (converted === undefined && plain === undefined) {
      this.#addMisfit(value, row);
      return;
    }
    this.#fits += 1;
    this.#converted = added(this.#converted, converted);
    this.#plain = added(this.#plain, plain);
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

/** The narrowing with one more value; undefined once a value was of another kind. */
function added<Parsed>(
  narrowing: Narrowing<Parsed> | undefined,
  value: Parsed | undefined,
): Narrowing<Parsed> | undefined {
  if (value === undefined) return undefined;
  narrowing?.add(value);
  return narrowing;
}

/** A number as it is written. */
interface NumberParts {
  readonly text: string;
  /** Digits before the point. */
  readonly whole: number;
  /** Digits behind the point; undefined without a point. */
  readonly fraction: number | undefined;
  readonly exponent: number | undefined;
}

/** The parts of `-1.5e3`; a number has digits before the point or behind it, and no zero before others. */
function numberParts(text: string): NumberParts | undefined {
  const begin = text.startsWith('-') ? 1 : 0;
  const point = afterDigits(text, begin);
  const whole = point - begin;
  if (whole > 1 && text.charCodeAt(begin) === ZERO) return undefined;
  let end = point;
  if (text.charCodeAt(point) === POINT) {
    end = afterDigits(text, point + 1);
    if (end === 1 + point && whole === 0) return undefined;
  } else if (whole === 0) return undefined;
  const fraction = end === point ? undefined : end - point - 1;
  if (end === text.length) return { text, whole, fraction, exponent: undefined };
  const exponent = EXPONENT.exec(text.slice(end))?.[1];
  return exponent === undefined ? undefined : { text, whole, fraction, exponent: Number(exponent) };
}

/** The place of the first character from `at` on that is no digit. */
function afterDigits(text: string, at: number): number {
  for (let place = at; ; place++) {
    const code = text.charCodeAt(place);
    // It is NaN behind the end.
    if (!(code >= ZERO && code <= NINE)) return place;
  }
}

class Numbers implements Narrowing<NumberParts> {
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

  add(number: NumberParts): void {
    const { whole, fraction = 0, exponent = 0 } = number;
    const written = whole + fraction;
    this.#hasManyDigits ||= written > DIGITS_KEPT;
    this.#before = Math.max(this.#before, 1, whole + exponent);
    this.#behind = Math.max(this.#behind, fraction - exponent);
    const isWhole = number.fraction === undefined && number.exponent === undefined;
    this.#isInt &&= isWhole && whole <= INT_DIGITS;
    this.#isBigint &&= isWhole && whole <= BIGINT_DIGITS;
    this.#isPlain &&= number.exponent === undefined;
    this.#isDouble &&= (isWhole && written <= DIGITS_KEPT) || isExact(number, written);
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

/** Whether a double has the digits that are written, zeros at their ends apart. */
function isExact(number: NumberParts, written: number): boolean {
  const value = Number(number.text);
  // Beyond these a double has fewer digits, or none.
  const isUsual = Math.abs(value) < 1e300 && (Math.abs(value) > 1e-300 || /^[-0.]+(?:e|$)/i.test(number.text));
  if (isUsual && written <= DIGITS_KEPT) return true;
  const kept = Number.isFinite(value) ? numberParts(String(value)) : undefined;
  return kept !== undefined && significant(number) === significant(kept);
}

/** The digits from the first to the last that is no zero, and how far before the point they begin. */
function significant({ text, whole, exponent = 0 }: NumberParts): string {
  const digits = text.replace(/e.*$/i, '').replace(/[-.]/g, '');
  const zeros = /^0*/.exec(digits)?.[0].length ?? 0;
  return `${digits.slice(zeros).replace(/0+$/, '')} ${whole + exponent - zeros}`;
}

class Moments implements Narrowing<string> {
  #isDate = true;

  add(moment: string): void {
    this.#isDate &&= moment.length === 'YYYY-MM-DD'.length;
  }

  get type(): string {
    return this.#isDate ? 'date' : 'datetime(6)';
  }
}

/** The text, if it is a day of the calendar, or a time of it. */
function moment(text: string): string | undefined {
  if (!MOMENT.test(text)) return undefined;
  const day = Number(text.slice(8, 10));
  if (day <= 28) return text;
  const [year, month] = [Number(text.slice(0, 4)), Number(text.slice(5, 7))];
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  return day <= days ? text : undefined;
}
