import { expect, test } from 'vitest';
import { FakeDatabase } from '../testing/fake_database.ts';
import {
  LOG_PAGE_COMMITS,
  loadChanges,
  loadLog,
  parseRefs,
  refsSeenFrom,
  searchCondition,
  splitMessage,
} from './log.ts';

const place = { database: 'shop', branch: 'main' };

test('refs as Dolt writes them', () => {
  expect(parseRefs('HEAD -> main, tag: v1.0, feature/x, remotes/origin/main')).toEqual([
    { name: 'main', kind: 'head' },
    { name: 'v1.0', kind: 'tag' },
    { name: 'feature/x', kind: 'branch' },
    { name: 'origin/main', kind: 'remote' },
  ]);
  expect(parseRefs('')).toEqual([]);
});

test('of several branches the selected one is the head, and first', () => {
  const refs = parseRefs('HEAD -> a, main, tag: main');
  expect(refsSeenFrom('main', refs)).toEqual([
    { name: 'main', kind: 'head' },
    { name: 'a', kind: 'branch' },
    { name: 'main', kind: 'tag' },
  ]);
  expect(refsSeenFrom('elsewhere', refs)).toBe(refs);
});

test('a log comes in pages, with its parents', async () => {
  const database = new FakeDatabase();
  const first = await loadLog(
    database,
    place,
    { scope: 'branch', search: '' },
    { offset: 0, commits: LOG_PAGE_COMMITS },
    {},
  );
  const second = await loadLog(
    database,
    place,
    { scope: 'branch', search: '' },
    { offset: LOG_PAGE_COMMITS, commits: LOG_PAGE_COMMITS },
    {},
  );
  expect(first).toHaveLength(LOG_PAGE_COMMITS);
  expect(second[0]?.hash).not.toBe(first[0]?.hash);
  expect(first[1]?.parents).toHaveLength(2);
  expect(first[0]?.refs).toEqual([{ name: 'main', kind: 'head' }]);
});

test('the tables that a commit changed', async () => {
  const changes = await loadChanges(new FakeDatabase(), place, { hash: 'abc', parents: ['aba'] }, {});
  expect(changes[1]).toEqual({
    table: 'orders',
    tableBefore: undefined,
    kind: 'modified',
    hasData: true,
    hasSchema: true,
  });
});

test('every word of a search must be found, as it is written', () => {
  expect(searchCondition('  ')).toBe('');
  const condition = searchCondition(" O'Neil 50% ");
  expect(condition).toContain("LIKE '%o''neil%'");
  expect(condition).toContain(' AND ');
  expect(condition).toContain("commit_hash LIKE '50\\\\%%'");
});

test('messages have a subject and a body', () => {
  expect(splitMessage('One\n\nTwo\nthree')).toEqual({ subject: 'One', body: 'Two\nthree' });
  expect(splitMessage('One')).toEqual({ subject: 'One', body: '' });
});
