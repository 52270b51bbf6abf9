import { expect, test } from 'vitest';
import { dateText } from './log/log.ts';
import { Statements } from './shell.ts';

test('a commit date is written as Dolt writes it', () => {
  expect(dateText('2026-11-21 10:34:57.123')).toBe('Sat Nov 21 10:34:57 +0000 2026');
  expect(dateText('2026-03-01 00:00:00')).toBe('Sun Mar 01 00:00:00 +0000 2026');
  expect(dateText('never')).toBe('never');
});

test('a statement is complete at its semicolon, over as many lines as it takes', () => {
  const statements = new Statements();
  expect(statements.isEmpty).toBe(true);
  expect(statements.add('SELECT 1')).toBeNull();
  expect(statements.isEmpty).toBe(false);
  expect(statements.add('  , 2;  ')).toEqual({ script: 'SELECT 1\n  , 2;', form: null });
  expect(statements.isEmpty).toBe(true);
});

test('\\G asks for one line for each value', () => {
  expect(new Statements().add('SELECT 1\\G')).toEqual({ script: 'SELECT 1', form: 'vertical' });
});

test('a command of the mysql client is a line, which no semicolon ends, where no statement was begun', () => {
  const statements = new Statements();
  for (const line of ['source a.sql', " \\. it's.sql", 'USE other', 'pager less'])
    expect(statements.add(line)).toEqual({ script: line.trim(), form: null });
  expect(statements.add('SELECT a AS')).toBeNull();
  expect(statements.add('source')).toBeNull();
  expect(statements.add('FROM t;')?.script).toBe('SELECT a AS\nsource\nFROM t;');
});

test('a cleared statement is forgotten', () => {
  const statements = new Statements();
  statements.add('DROP TABLE everything');
  statements.clear();
  expect(statements.add('SELECT 1;')?.script).toBe('SELECT 1;');
});
