/** What the column of a new table is, by the values of its first rows. Pure. */
import type { Param } from '../types.ts';
import type { ImportRowsOptions, StrayValues } from './transfer_types.ts';
import { dateOf, numberOf, type WrittenForms } from './written_forms.ts';

export const TEXT = 'longtext';

/** Different texts among numbers or dates that are strays; of more than these a column is one of texts. */
const STRAYS_MAX = 3;

/** Null for a text that is not written as was said. */
type Convert = (text: string) => string | null;

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i;
const MOMENT = /^\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d+)?)?)?$/;

/** The type that holds all values, and those that keep it from being narrower, where they are few. */
export function columnType(
  values: readonly Param[],
  options: ImportRowsOptions,
  rowsBefore: number,
): { readonly type: string; readonly strays?: StrayValues } {
  const { nulls = [] } = options;
  const forms = formsOf(options);
  const isKnown = (value: Param | undefined) => value !== null && !(typeof value === 'string' && nulls.includes(value));
  const narrow = narrowest(plain(values.filter(isKnown), forms));
  // In a column of texts those that mean NULL elsewhere are texts.
  if (narrow !== TEXT) return { type: narrow };
  const strays = straysAmong(values, isKnown, forms, rowsBefore);
  return { type: TEXT, ...(strays && { strays }) };
}

/** Only texts of CSV are written in one way or another. */
function formsOf({ format, dates, decimal }: ImportRowsOptions): WrittenForms {
  return format === 'csv' ? { dates, decimal } : {};
}

/** The values of a column as SQL writes them, where all of them are dates, or numbers, written as was said. */
function plain(values: readonly Param[], { dates, decimal }: WrittenForms): readonly Param[] {
  const all = (convert: Convert): readonly Param[] | undefined => {
    const converted = values.map(value => (typeof value === 'string' ? convert(value) : null));
    return converted.includes(null) ? undefined : converted;
  };
  return (dates && all(text => dateOf(text, dates))) ?? (decimal && all(text => numberOf(text, decimal))) ?? values;
}

/** The narrowest type that holds all values; later rows that do not fit are errors of theirs. */
function narrowest(known: readonly Param[]): string {
  const all = (test: (value: Param) => boolean): boolean => known.length > 0 && known.every(test);
  const matches = (pattern: RegExp) => (value: Param) => pattern.test(String(value));
  if (all(value => typeof value === 'boolean')) return 'tinyint(1)';
  if (all(value => typeof value === 'object')) return 'json';
  if (all(matches(/^-?(0|[1-9]\d{0,8})$/))) return 'int';
  if (all(matches(/^-?(0|[1-9]\d{0,17})$/))) return 'bigint';
  // A double keeps fifteen digits of what was written.
  if (all(matches(/^-?(0|[1-9]\d*)(\.\d+)?$/)) && known.some(matches(/\d[\d.]{15}/)))
    return decimalOf(known.map(String));
  if (all(matches(NUMBER))) return 'double';
  if (all(matches(/^\d{4}-\d\d-\d\d$/))) return 'date';
  if (all(matches(MOMENT))) return 'datetime(6)';
  return TEXT;
}

/**
 * The few values without which a column were one of numbers or dates.
 *
 * @param isKnown whether one is neither NULL nor means it
 */
function straysAmong(
  values: readonly Param[],
  isKnown: (value: Param | undefined) => boolean,
  forms: WrittenForms,
  rowsBefore: number,
): StrayValues | undefined {
  for (const isFit of [isNumber, isDate]) {
    const fits = values.filter(value => isKnown(value) && isFit(value, forms));
    const strays = values.filter(value => isKnown(value) && !isFit(value, forms));
    const texts = [...new Set(strays)].filter(value => typeof value === 'string');
    // Digits behind a zero are those of a code.
    const isFew =
      strays.length < fits.length && strays.every(value => typeof value === 'string' && !/^0\d+$/.test(value));
    if (!isFew || texts.length > STRAYS_MAX) continue;
    return {
      texts,
      count: strays.length,
      row: rowsBefore + values.indexOf(texts[0] ?? '') + 1,
      type: narrowest(plain(fits, forms)),
    };
  }
  return undefined;
}

function isNumber(value: Param, { decimal }: WrittenForms): boolean {
  return NUMBER.test(String(value)) || (decimal !== undefined && numberOf(String(value), decimal) !== null);
}

function isDate(value: Param, { dates }: WrittenForms): boolean {
  return MOMENT.test(String(value)) || (dates !== undefined && dateOf(String(value), dates) !== null);
}

/** MySQL's DECIMAL has at most 65 digits, 30 of them behind the point; numbers with more stay text. */
function decimalOf(numbers: readonly string[]): string {
  const parts = numbers.map(number => number.replace('-', '').split('.'));
  const [before, behind] = [0, 1].map(part => Math.max(...parts.map(number => number[part]?.length ?? 0))) as [
    number,
    number,
  ];
  return behind > 30 || before + behind > 65 ? TEXT : `decimal(${before + behind},${behind})`;
}
