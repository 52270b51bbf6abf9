/** What a person gives for a parameter, and how it stands in a statement. Pure. */
import { quoteString } from '../sql/names.ts';

export type ParameterType = 'text' | 'number' | 'bytes' | 'null';

export interface ParameterValue {
  readonly text: string;
  /** Undefined while it is what the text looks like. */
  readonly type?: ParameterType | undefined;
}

/** By the name of the parameter. */
export type ParameterValues = Readonly<Record<string, ParameterValue>>;

export const NO_VALUE: ParameterValue = { text: '' };

/** Digits behind a zero are a code, not a number. */
const PLAIN_NUMBER = /^[+-]?(0|[1-9]\d*)(\.\d+)?$/;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const BYTES = /^0x([0-9a-f]{2})*$/i;

export function typeOf({ text, type }: ParameterValue): ParameterType {
  if (type !== undefined) return type;
  if (PLAIN_NUMBER.test(text.trim())) return 'number';
  return BYTES.test(text.trim()) ? 'bytes' : 'text';
}

/** Why a statement cannot run with it; undefined when it can. */
export function valueProblem(value: ParameterValue): string | undefined {
  if (value.type === undefined && value.text === '') return 'Enter a value';
  const text = value.text.trim();
  switch (typeOf(value)) {
    case 'number':
      return NUMBER.test(text) ? undefined : 'A number, such as 12 or 1.5';
    case 'bytes':
      return BYTES.test(text) ? undefined : 'Bytes, such as 0x1f2e';
    default:
      return undefined;
  }
}

export function literalOf(value: ParameterValue): string {
  const text = value.text.trim();
  switch (typeOf(value)) {
    case 'null':
      return 'NULL';
    case 'number':
      return text;
    case 'bytes':
      return text.length > 2 ? text : "''";
    case 'text':
      return quoteString(value.text);
  }
}
