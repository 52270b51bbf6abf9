import { expect, test } from 'vitest';
import {
  anyContains,
  type Condition,
  conditionOf,
  type NamedColumn,
  type Operator,
  operatorsOf,
} from './conditions.ts';

const NAME: NamedColumn = { name: 'name', type: 'varchar(20)', kind: 'text' };
const SEEDS: NamedColumn = { name: 'seeds', type: 'int unsigned', kind: 'int' };
const DAY: NamedColumn = { name: '`day`', type: 'date', kind: 'date' };
const RANK: NamedColumn = { name: 'priority', type: "enum('low','high')", kind: 'enum' };

function check(column: NamedColumn, operator: Operator, text: string, expected: string | undefined): void {
  const made: Condition | undefined = conditionOf(column, operator, text);
  expect(made === undefined ? undefined : 'sql' in made ? made.sql : `! ${made.problem}`).toBe(expected);
}

test('conditions are SQL as a person would write it', () => {
  check(NAME, 'contains', '50%', "LOWER(name) LIKE '%50\\\\%%'");
  check(NAME, 'starts', "O'", "LOWER(name) LIKE 'o''%'");
  check(NAME, 'is', 'Ada', "name = 'Ada'");
  check(NAME, 'is_not', 'Ada', "NOT (name <=> 'Ada')");
  check(NAME, 'one_of', 'Ada, Bo', "name IN ('Ada', 'Bo')");
  check(SEEDS, 'at_least', '500', 'seeds >= 500');
  check(SEEDS, 'one_of', '1,2', 'seeds IN (1, 2)');
  check(SEEDS, 'null', '', 'seeds IS NULL');
  check(DAY, 'less', '2024-01-31', "`day` < '2024-01-31'");
  check(RANK, 'is', 'high', "priority = 'high'");
});

test('what does not fit the column is told instead of asked', () => {
  check(SEEDS, 'more', 'many', '! A whole number');
  check(SEEDS, 'one_of', '1,,2', '! Empty value between commas: A whole number');
  check(DAY, 'is', 'yesterday', '! A date, such as 2026-11-21');
  check(RANK, 'is', 'urgent', '! One of low, high');
});

test('nothing is asked until there is a value', () => {
  check(SEEDS, 'is', '', undefined);
  check(NAME, 'contains', '', undefined);
  check(NAME, 'one_of', ' ', undefined);
  // The empty text is one that is asked for.
  check(NAME, 'is', '', "name = ''");
  check(NAME, 'is_not', '', undefined);
});

test('a text is looked for in all columns that have one', () => {
  expect(anyContains([NAME, SEEDS], 'Ada')).toEqual({ sql: "LOWER(CONCAT_WS('\\n', name, seeds)) LIKE '%ada%'" });
});

test('columns are asked what fits their kind', () => {
  expect(operatorsOf(SEEDS)[0]).toBe('is');
  expect(operatorsOf(NAME)[0]).toBe('contains');
  expect(operatorsOf({ name: 'd', type: 'json', kind: 'json' })).toEqual(['contains', 'null', 'not_null']);
  expect(operatorsOf({ name: 'g', type: 'point', kind: 'geometry' })).toEqual(['null', 'not_null']);
});
