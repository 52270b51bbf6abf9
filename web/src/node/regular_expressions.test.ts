import { expect } from 'vitest';
import { withEngine } from '../testing/built_engine.ts';
import { open } from './index.ts';

/** Conditions that native Dolt says are true; JavaScript's own classes, dots, borders and line ends mean something else. */
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

withEngine('patterns mean in JavaScript what they mean to native Dolt', async () => {
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
