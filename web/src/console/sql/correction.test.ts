import { expect, test } from 'vitest';
import { correctionOf } from './correction.ts';

function corrected(sql: string, word: string, meant: string): string | undefined {
  const found = correctionOf(sql, sql.indexOf(word), `did you mean ${meant}?`);
  return found && sql.slice(0, found.from) + found.text + sql.slice(found.to);
}

test('an unknown word is replaced, with as much of its path as is known', () => {
  expect(corrected('SELECT * FROM accesions', 'acc', 'accessions')).toBe('SELECT * FROM accessions');
  expect(corrected('SELECT s.nam, 1 FROM species s', 's.nam', 's.name')).toBe('SELECT s.name, 1 FROM species s');
  expect(corrected('TABLE seed_bank.specis', 'seed_bank', 'species')).toBe('TABLE seed_bank.species');
  expect(corrected('SELECT `nam` FROM species', '`nam`', 'name')).toBe('SELECT `name` FROM species');
  expect(corrected('SELECT lot FROM t', 'lot', 'my lot')).toBe('SELECT `my lot` FROM t');
});

test('where the engine points behind a word that is no keyword, the word before is meant', () => {
  expect(corrected('SELECT * FROM species WHER id=1', 'id', 'WHERE')).toBe('SELECT * FROM species WHERE id=1');
  expect(corrected('SELECT 1 FORM t', 'FORM', 'FROM')).toBe('SELECT 1 FROM t');
});

test('what resembles nothing there is replaced by nothing', () => {
  expect(corrected('SELECT * FROM a WHERE id = 1', 'id', 'species')).toBeUndefined();
  expect(correctionOf('SELECT 1 +', 10, 'expected a table')).toBeUndefined();
});

test('a statement that lacks its end gets it in front of the next one', () => {
  const sql = 'SELECT 1 FROM t -- all\nSELECT 2';
  const at = sql.lastIndexOf('SELECT');
  expect(correctionOf(sql, at, 'did you mean ; before SELECT?')).toEqual({ from: at, to: at, text: ';\n' });
});
