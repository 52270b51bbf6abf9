/** Conditions that a person puts together: a column, how it is compared, and with what. Text only. */
import type { Column } from '../../lib/index.ts';
import { containsText } from './find_text.ts';
import { quoteString } from './names.ts';
import { choicesOf, isComparable, literal, problemOf } from './values.ts';

export type Operator =
  | 'contains'
  | 'starts'
  | 'is'
  | 'is_not'
  | 'one_of'
  | 'more'
  | 'at_least'
  | 'less'
  | 'at_most'
  | 'null'
  | 'not_null';

/** A column as the query calls it. */
export interface NamedColumn {
  readonly name: string;
  readonly type: string;
  readonly kind: Column['kind'];
}

export type Condition = { readonly sql: string } | { readonly problem: string };

export const OPERATOR_NAMES: Readonly<Record<Operator, string>> = {
  contains: 'contains',
  starts: 'starts with',
  is: '=',
  is_not: '≠',
  one_of: 'is one of',
  more: '>',
  at_least: '≥',
  less: '<',
  at_most: '≤',
  null: 'is NULL',
  not_null: 'is not NULL',
};

const COMPARED: Readonly<Partial<Record<Operator, string>>> = {
  is: '=',
  more: '>',
  at_least: '>=',
  less: '<',
  at_most: '<=',
};
const AS_TEXT: readonly Operator[] = ['contains', 'starts'];
const AS_VALUE: readonly Operator[] = ['is', 'is_not', 'one_of'];
const IN_ORDER: readonly Operator[] = ['more', 'at_least', 'less', 'at_most'];
const OF_NULL: readonly Operator[] = ['null', 'not_null'];

const ORDERED = new Set<Column['kind']>(['int', 'decimal', 'float', 'year', 'date', 'datetime', 'time']);
const BYTES = new Set<Column['kind']>(['binary', 'bit', 'geometry', 'vector']);

/** What a column can be asked, what is asked most of its kind first. */
export function operatorsOf({ kind, type }: NamedColumn): readonly Operator[] {
  const values = isComparable(type) ? AS_VALUE : [];
  if (ORDERED.has(kind)) return [...values, ...IN_ORDER, 'contains', ...OF_NULL];
  if (BYTES.has(kind)) return [...values, ...OF_NULL];
  if (choicesOf(type).length > 0) return [...values, ...AS_TEXT, ...OF_NULL];
  if (kind === 'json') return ['contains', ...OF_NULL];
  return [...AS_TEXT, ...values, ...IN_ORDER, ...OF_NULL];
}

export function takesValue(operator: Operator): boolean {
  return !OF_NULL.includes(operator);
}

/** Undefined where nothing is asked yet. */
export function conditionOf(column: NamedColumn, operator: Operator, text: string): Condition | undefined {
  const { name, type } = column;
  switch (operator) {
    case 'null':
      return { sql: `${name} IS NULL` };
    case 'not_null':
      return { sql: `${name} IS NOT NULL` };
    case 'contains':
      return text === '' ? undefined : anyContains([column], text);
    case 'starts': {
      const pattern = quoteString(`${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`);
      return text === '' ? undefined : { sql: `LOWER(${name}) LIKE ${pattern}` };
    }
    case 'one_of':
      return text.trim() === '' ? undefined : oneOf(column, text);
    default: {
      const isOfText = problemOf({ type, isNullable: false }, '') === undefined;
      if (text === '' && (!isOfText || operator !== 'is')) return undefined;
      const problem = problemWith(type, text);
      if (problem !== undefined) return { problem };
      const value = literal(type, text);
      // Rows without a value are other rows too.
      return { sql: operator === 'is_not' ? `NOT (${name} <=> ${value})` : `${name} ${COMPARED[operator]} ${value}` };
    }
  }
}

/** A text in any of the columns. */
export function anyContains(columns: readonly NamedColumn[], text: string): Condition {
  const sql = containsText(columns, text);
  return sql === undefined ? { problem: 'No column has texts' } : { sql };
}

function oneOf({ name, type }: NamedColumn, text: string): Condition {
  const words = text.split(',').map(word => word.trim());
  for (const word of words) {
    const problem = problemWith(type, word);
    if (problem !== undefined) return { problem: `${word === '' ? 'Empty value between commas' : word}: ${problem}` };
  }
  return { sql: `${name} IN (${words.map(word => literal(type, word)).join(', ')})` };
}

/** What is too long for a column is only found nowhere. */
function problemWith(type: string, text: string): string | undefined {
  return /^(var)?char/i.test(type) ? undefined : problemOf({ type, isNullable: false }, text);
}
