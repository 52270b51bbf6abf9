import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from 'vitest';
import { withEngine } from '../../testing/built_engine.ts';
import { Regexes } from './regexes.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const engine = createRequire(import.meta.url).resolve('#core');
const load = (): Regexes => new Regexes(() => readFileSync(engine.replace(/core\.js$/, 'regexp.wasm')));

/** Flags, and what a search wants, by their numbers in rust/regexp/src/exports.rs. */
const CASE_MATTERS = 0;
const CASE_IGNORED = 1;
const GROUPS = 2;
const STEPS = 1_000_000;
const NONE = -1;

function find(regexes: Regexes, regex: number, text: string, start: number): Int32Array | null {
  expect(regexes.begin(regex, bytes(text), STEPS, 1_000_000)).toBe(0);
  const found = regexes.find(regex, start, 1, GROUPS);
  return found === 1 ? new Int32Array(regexes.said.slice().buffer) : null;
}

withEngine('places are bytes, groups that took no part have none', () => {
  const regexes = load();
  const regex = regexes.compile(bytes('(b+)|(c)'), CASE_MATTERS);
  expect(find(regexes, regex, 'aabbc', 0)).toEqual(new Int32Array([2, 4, 2, 4, NONE, NONE]));
  expect(find(regexes, regex, 'aabbc', 4)).toEqual(new Int32Array([4, 5, NONE, NONE, 4, 5]));
  expect(find(regexes, regex, 'aa', 0)).toBeNull();
});

withEngine('characters of several bytes and units', () => {
  const regexes = load();
  const regex = regexes.compile(bytes('é.'), CASE_MATTERS);
  expect(find(regexes, regex, '日é😀x', 0)).toEqual(new Int32Array([3, 9]));
  expect(find(regexes, regex, 'é1é2', 3)).toEqual(new Int32Array([3, 6]));
});

withEngine('letters of any case, and patterns that are none', () => {
  const regexes = load();
  expect(find(regexes, regexes.compile(bytes('AÉ'), CASE_IGNORED), 'aé', 0)).toEqual(new Int32Array([0, 3]));
  expect(find(regexes, regexes.compile(bytes('AÉ'), CASE_MATTERS), 'aé', 0)).toBeNull();
  expect(regexes.compile(bytes('('), CASE_MATTERS)).toBe(-1);
  expect(new TextDecoder().decode(regexes.said)).toBe('a ( that is not closed');
});

withEngine('several matches come at once, and share their steps', () => {
  const regexes = load();
  const regex = regexes.compile(bytes('a*'), CASE_MATTERS);
  expect(regexes.begin(regex, bytes('baac'), STEPS, 1000)).toBe(0);
  expect(regexes.find(regex, 0, 10, GROUPS)).toBe(4);
  expect(new Int32Array(regexes.said.slice().buffer)).toEqual(new Int32Array([0, 0, 1, 3, 3, 3, 4, 4]));
  expect(regexes.stepsLeft()).toBeLessThan(STEPS);
  expect(regexes.begin(regex, bytes('a'.repeat(100)), 10, 1000)).toBe(0);
  expect(regexes.find(regex, 0, 10, GROUPS)).toBe(-4);
});

withEngine('an instance that was large or failed is replaced, and patterns are compiled again', () => {
  const regexes = load();
  const [first, second] = ['b$', 'x'].map(pattern => regexes.compile(bytes(pattern), CASE_MATTERS)) as [number, number];
  regexes.close(second);
  const large = bytes('a'.repeat(40 << 20));
  expect(regexes.begin(first, large, STEPS, 1000)).toBe(0);
  expect(regexes.find(first, 0, 1, GROUPS)).toBe(-4);
  // The next short text has a fresh instance, which knows the pattern by another number.
  expect(find(regexes, first, 'ab', 0)).toEqual(new Int32Array([1, 2]));
  expect(regexes.find(99, 0, 1, GROUPS)).toBe(-9);
  expect(new TextDecoder().decode(regexes.said)).toContain('could not be evaluated');
  expect(find(regexes, first, 'aab', 0)).toEqual(new Int32Array([2, 3]));
});

withEngine('a module that cannot be had is an error of the pattern, and is asked for again', () => {
  let asked = 0;
  const regexes = new Regexes(() => {
    asked += 1;
    throw new Error('no network');
  });
  expect(regexes.compile(bytes('a'), CASE_MATTERS)).toBe(-9);
  expect(regexes.compile(bytes('a'), CASE_MATTERS)).toBe(-9);
  expect(new TextDecoder().decode(regexes.said)).toContain('no network');
  expect(asked).toBe(2);
});
