/** Values as a person types them: whether they fit a type, and how they stand in a statement. */
import { messageOf } from '../ui/message_of.ts';
import { GEOMETRY_TYPE, geometryParts, geometryProblem } from './geometry.ts';
import { quoteString } from './names.ts';

interface Described {
  /** As SHOW COLUMNS gives it, such as `decimal(10,2)`. */
  readonly type: string;
  readonly isNullable: boolean;
}

const INTEGER_BITS: Readonly<Record<string, number>> = {
  tinyint: 8,
  smallint: 16,
  mediumint: 24,
  int: 32,
  bigint: 64,
};
const BYTES = /^((var)?binary|(tiny|medium|long)?blob)$/;

function baseOf(type: string): string {
  return /^[a-z]+/.exec(type.toLowerCase())?.[0] ?? '';
}

/** The numbers in `varchar(20)` or `decimal(10,2)`. */
function sizesOf(type: string): readonly number[] {
  return (/\(([\d,\s]+)\)/.exec(type)?.[1] ?? '').split(',').filter(Boolean).map(Number);
}

/** Whether a value has a text that a person would type. */
export function isTypable(type: string): boolean {
  return baseOf(type) !== 'vector';
}

/** Whether the text of a value is the value; bytes, bits and geometries are written as a `literal`. */
export function isText(type: string): boolean {
  const base = baseOf(type);
  return !BYTES.test(base) && !GEOMETRY_TYPE.test(base) && base !== 'bit';
}

/** Whether `=` with a typed value finds the rows that have it. */
export function isComparable(type: string): boolean {
  const base = baseOf(type);
  return isTypable(type) && base !== 'json' && base !== 'float' && !GEOMETRY_TYPE.test(base);
}

/** The words of an enum or set. */
export function choicesOf(type: string): readonly string[] {
  const list = /^(?:enum|set)\((.*)\)/is.exec(type)?.[1];
  return list === undefined
    ? []
    : Array.from(list.matchAll(/'((?:[^']|'')*)'/g), ([, word]) => (word ?? '').replaceAll("''", "'"));
}

/** What is wrong with a value; undefined when it fits. What only the engine knows it says when the value is stored. */
export function problemOf({ type, isNullable }: Described, text: string | null): string | undefined {
  if (text === null) return isNullable ? undefined : 'NULL is not allowed here';
  const base = baseOf(type);
  const isUnsigned = /\bunsigned\b/i.test(type);
  const [size = 0, decimals = 0] = sizesOf(type);
  const trimmed = text.trim();
  if (BYTES.test(base)) return bytesProblem(trimmed, size);
  if (GEOMETRY_TYPE.test(base)) return geometryProblem(base, text);
  switch (base) {
    case 'tinyint':
    case 'smallint':
    case 'mediumint':
    case 'int':
    case 'bigint':
      return integerProblem(trimmed, INTEGER_BITS[base] ?? 64, isUnsigned);
    case 'decimal':
      return decimalProblem(trimmed, size - decimals, isUnsigned);
    case 'float':
    case 'double':
      return trimmed !== '' && Number.isFinite(Number(trimmed)) ? undefined : 'A number, such as 1.5 or 2e6';
    case 'year':
      return /^(\d{4}|0)$/.test(trimmed) ? undefined : 'A year of four digits';
    case 'date':
      return /^\d{4}-\d\d?-\d\d?$/.test(trimmed) ? undefined : 'A date, such as 2026-11-21';
    case 'datetime':
    case 'timestamp':
      return /^\d{4}-\d\d?-\d\d?([ T]\d\d?:\d\d(:\d\d(\.\d{1,6})?)?)?$/.test(trimmed)
        ? undefined
        : 'A date and time, such as 2026-11-21 18:30:00';
    case 'time':
      return /^-?\d{1,3}:\d\d(:\d\d(\.\d{1,6})?)?$/.test(trimmed) ? undefined : 'A time, such as 18:30:00';
    case 'enum':
      return choicesOf(type).includes(text) ? undefined : `One of ${listed(choicesOf(type))}`;
    case 'set':
      return text === '' || text.split(',').every(word => choicesOf(type).includes(word))
        ? undefined
        : `Some of ${listed(choicesOf(type))}, with commas between`;
    case 'char':
    case 'varchar': {
      const length = Array.from(text).length;
      return length <= size ? undefined : `At most ${size} characters; these are ${length}`;
    }
    case 'json':
      return jsonProblem(text);
    case 'bit':
      return /^(0x[0-9a-f]+|\d+)$/i.test(trimmed) ? undefined : 'Bits, as 0x05 or as a number';
    default:
      return undefined;
  }
}

function listed(words: readonly string[]): string {
  return words.length > 8 ? `${words.slice(0, 8).join(', ')} …` : words.join(', ');
}

function integerProblem(text: string, bits: number, isUnsigned: boolean): string | undefined {
  if (!/^[+-]?\d+$/.test(text)) return 'A whole number';
  const value = BigInt(text.replace(/^\+/, ''));
  const least = isUnsigned ? 0n : -(2n ** BigInt(bits - 1));
  const most = 2n ** BigInt(isUnsigned ? bits : bits - 1) - 1n;
  return value < least || value > most ? `A whole number from ${least} to ${most}` : undefined;
}

function decimalProblem(text: string, digitsMax: number, isUnsigned: boolean): string | undefined {
  const parts = /^([+-]?)(\d*)(\.\d*)?$/.exec(text);
  if (parts === null || !/\d/.test(text)) return 'A number, such as 12.50';
  if (isUnsigned && parts[1] === '-') return 'A number that is not negative';
  const digits = (parts[2] ?? '').replace(/^0+/, '').length;
  return digits > digitsMax ? `At most ${digitsMax} digits before the point` : undefined;
}

function jsonProblem(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return `Invalid JSON: ${messageOf(error)}`;
  }
}

function bytesProblem(text: string, size: number): string | undefined {
  if (!/^0x([0-9a-f]{2})*$/i.test(text)) return 'Bytes, as 0x and pairs of hexadecimal digits';
  const count = (text.length - 2) / 2;
  return size > 0 && count > size ? `At most ${size} bytes; these are ${count}` : undefined;
}

function geometryLiteral(text: string): string {
  const { srid, wkt } = geometryParts(text);
  return `ST_GeomFromText(${quoteString(wkt)}${srid === 0 ? '' : `, ${srid}`})`;
}

/** The value in a statement. It must fit: see `problemOf`. */
export function literal(type: string, text: string | null): string {
  if (text === null) return 'NULL';
  const trimmed = text.trim();
  const base = baseOf(type);
  const isHex = /^0x/i.test(trimmed);
  if (BYTES.test(base) || (GEOMETRY_TYPE.test(base) && isHex)) return `x'${trimmed.slice(2)}'`;
  if (GEOMETRY_TYPE.test(base)) return geometryLiteral(trimmed);
  switch (base) {
    case 'tinyint':
    case 'smallint':
    case 'mediumint':
    case 'int':
    case 'bigint':
    case 'decimal':
    case 'float':
    case 'double':
    case 'year':
      return trimmed.replace(/^\+/, '');
    case 'bit':
      return BigInt(trimmed).toString();
    default:
      return quoteString(text);
  }
}
