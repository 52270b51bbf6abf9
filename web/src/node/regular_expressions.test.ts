import { expect } from 'vitest';
import { withEngine } from '../testing/built_engine.ts';
import { randomly } from '../testing/random.ts';
import { open } from './index.ts';

/** Conditions that native Dolt says are true; the classes, dots, boundaries and line ends of other engines mean something else. */
const TRUE = String.raw`
  'é' regexp '^\\w$'            not 'é' regexp '\\W'              'é' regexp '[^\\W]'        '٣' regexp '^\\d$'
  not '٣' regexp '\\D'          '-' regexp '[\\W]'                'x é' regexp '\\bé'        not 'xé' regexp '\\bé'
  'éx' regexp 'é\\B'            not '\ufeff' regexp '\\s'         '\u0085' regexp '\\s'      '\u000b' regexp '[[:space:]]'
  not 'a\rb' regexp 'a.b'       not 'a\u0085b' regexp 'a.b'       regexp_like('a\r\nb', 'a.b', 'n')
  not regexp_like('a\r\nb', 'a..b', 'n')                          regexp_like('a\rb', 'a.b', 'u')
  'a\n' regexp 'a$'             'a\r\n' regexp 'a$'               not 'a\n\n' regexp 'a$'    not 'a\nb' regexp 'a$'
  regexp_like('a\r\nb', 'a$', 'm')                                not regexp_like('a\r\nb', 'a\r$', 'm')
  not regexp_like('a\n', '\n^', 'm')                              regexp_like('a\n\n', '\n^', 'm')
  'a\r\n' regexp 'a\\Z'         not 'a\n' regexp 'a\\z'           'aa1' regexp '(a)\\11'     '8' regexp '[\\8]'
  'i' regexp '\\i'              'b' regexp '[\\b]'                '\t' regexp '\\cI'         'ab' regexp '(?x)a b # c'
  'É' regexp '(?i)é'            'a+b' regexp '^a\\+b$'            'a/b' regexp '^a/b$'       '😀' regexp '^.$'
`;

withEngine('patterns mean what they mean to native Dolt', async () => {
  await using database = await open({ empty: 'patterns' });
  const character = (_: string, code: string): string => String.fromCodePoint(Number.parseInt(code, 16));
  const conditions = TRUE.split(/\n|\s{2,}/).filter(Boolean);
  const wrong: string[] = [];
  for (const condition of conditions) {
    const sql = `SELECT ${condition.replace(/\\u([0-9a-f]{4})/g, character)}`;
    const { rows } = await database.query(sql);
    if (Number(Object.values(rows[0] ?? {})[0]) !== 1) wrong.push(condition);
  }
  expect(wrong).toEqual([]);
  expect(conditions.length).toBeGreaterThan(30);
});

withEngine('what is no pattern is an error in words', async () => {
  await using database = await open({ empty: 'patterns' });
  for (const pattern of ['(?P<x>a)', 'a)', '(a', '\\\\1', '(?<a_b>a)', '[[:nothing:]]']) {
    await expect(database.query(`SELECT 'a' REGEXP '${pattern}'`)).rejects.toThrow('regular expression is invalid');
  }
});

withEngine('a pattern that blows up elsewhere has an answer or an error, and the next query answers', async () => {
  await using database = await open({ empty: 'patterns' });
  const value = async (sql: string): Promise<unknown> => Object.values((await database.query(sql)).rows[0] ?? {})[0];
  expect(await value("SELECT REGEXP_LIKE(REPEAT('a',40), '^(a+)+$b')")).toBe(0);
  const endless = "REGEXP_LIKE(CONCAT(REPEAT('a',40),'!'), '^((?=a)a+)+$')";
  await expect(database.query(`SELECT ${endless}`)).rejects.toMatchObject({ errno: 3699 });
  expect(
    await value("SELECT REGEXP_REPLACE(REPEAT('é', 1000), '.', 'xy', 1, 1000) = CONCAT(REPEAT('é', 999), 'xy')"),
  ).toBe(1);
  expect(await value("SELECT LENGTH(REGEXP_REPLACE(REPEAT('ab', 200000), 'a', ''))")).toBe(200_000);
  expect(await value("SELECT REGEXP_REPLACE('John Smith', '(?<first>\\\\w+) (\\\\w+)', '$2 $1')")).toBe('Smith John');
});

/** A random pattern of what JavaScript and ICU share. Bodies of loops are never empty: there the two differ. */
function randomPattern(below: (limit: number) => number): string {
  const pick = (choices: readonly string[]): string => choices[below(choices.length)] as string;
  const atom = (depth: number): string => {
    const kind = below(depth > 2 ? 5 : 9);
    if (kind < 3) return pick(['a', 'b', 'c', 'é']);
    if (kind === 3) return pick(['[ab]', '[^a]', '[b-é]', '[^\\d]'.replace('\\d', '0-9')]);
    if (kind === 4) return pick(['.', 'ab', 'c']);
    if (kind === 5) return `(?:${alternatives(depth + 1)})`;
    if (kind === 6) return `(?=${alternatives(depth + 1)})a`;
    if (kind === 7) return `(?!${alternatives(depth + 1)})b`;
    return `(?<=${pick(['a', 'b|c', 'ab'])})c`;
  };
  const sequence = (depth: number): string => {
    let text = '';
    for (let length = 1 + below(3); length > 0; length--) {
      text += `(?:${atom(depth)})${pick(['', '', '*', '+', '?', '*?', '+?', '{2}', '{1,3}'])}`;
    }
    return text + (below(3) === 0 ? 'a' : pick(['b', 'c']));
  };
  const alternatives = (depth: number): string =>
    below(3) === 0 ? `${sequence(depth)}|${sequence(depth)}` : sequence(depth);
  return `${pick(['', '^'])}(?:${alternatives(0)})`;
}

withEngine('random patterns that JavaScript has too match the same', async () => {
  await using database = await open({ empty: 'patterns' });
  const below = randomly(28);
  const wrong: string[] = [];
  for (let round = 0; round < 400; round++) {
    const pattern = randomPattern(below);
    const text = Array.from({ length: below(14) }, () => 'aabbcé'[below(6)]).join('');
    const match = new RegExp(pattern, 'u').exec(text);
    const sql = 'SELECT REGEXP_INSTR(?, ?) AS place, REGEXP_SUBSTR(?, ?) AS found';
    const { rows } = await database.query(sql, [text, pattern, text, pattern]);
    const expected = { place: match === null ? 0 : match.index + 1, found: match === null ? null : match[0] };
    const { place, found } = rows[0] ?? {};
    if (Number(place) !== expected.place || found !== expected.found)
      wrong.push(`${pattern} in ${text}: ${place} ${found}`);
  }
  expect(wrong).toEqual([]);
});
