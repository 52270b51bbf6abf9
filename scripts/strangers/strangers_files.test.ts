/** Small files in the shapes that other programs write: in, out as a dump, and in again, with the same tables here and in native Dolt. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type * as Varve from '../../web/src/lib/index.ts';
import { DOLT, isBuilt, scratchDirectory, withEngine } from '../../web/src/testing/built_engine.ts';
import { isOfStrangers, roundTrip } from './round_trip.mjs';

/** The package, as it was built. */
const PACKAGE = new URL('../../dist/package/node/index.js', import.meta.url).href;
const { open }: typeof Varve = isBuilt ? await import(PACKAGE) : {};

const FOLDER = fileURLToPath(new URL('../../fixtures/strangers', import.meta.url));
const scratch = scratchDirectory();

const files = readdirSync(FOLDER).filter(isOfStrangers);

withEngine.each(isBuilt ? files : [])('%s is the same everywhere', async file => {
  const dolt = DOLT === '' ? undefined : DOLT;
  expect(await roundTrip(join(FOLDER, file), { open, dolt, scratch })).toEqual([]);
});

/** What a table has, by a query: that nothing is altered on the way in is seen nowhere else. */
const HAVE: Readonly<Record<string, readonly [sql: string, rows: readonly unknown[][]]>> = {
  ...Object.fromEntries(
    ['mysqldump_utf8mb4.sql', 'mysqldump_latin1.sql', 'mariadb.sql'].map(file => [
      file,
      [
        'SELECT name, hex(photo), born, (SELECT GROUP_CONCAT(twice) FROM orders WHERE person = p.id) FROM people p',
        [
          ['José Müller', 'E90027', '1962-02-18', '19.00'],
          ['Zürich; "x"', null, null, '0.00'],
          ['', 'FFD8', null, null],
        ],
      ],
    ]),
  ),
  'phpmyadmin.sql': [
    'SELECT post_title, guid FROM wp_posts',
    [
      ['Grüße; -- kein Kommentar', "http://example.com/?p=1&amp;x='y'"],
      ['<a href="#">Zwei</a>\r\n', ''],
    ],
  ],
  'sjis.sql': ['SELECT v FROM t', [['表ソ能']]],
};

withEngine.each(Object.entries(HAVE))('%s has what its program wrote', async (file, [sql, rows]) => {
  const database = await open({ memory: {}, create: true });
  const { warnings } = await database.importSql(readFileSync(join(FOLDER, file)));
  expect(warnings.first).toEqual([]);
  const found = (await database.query(sql)).rowArrays();
  expect(
    found.map(row => row.map(value => (value instanceof Date ? value.toISOString().slice(0, 10) : value))),
  ).toEqual(rows);
});
