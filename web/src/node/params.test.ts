import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const entry = join(import.meta.dirname, '../../../dist/package/node/index.js');

/** Binds parameters of a few kinds at a time, the same in each run, and says how many came back as they were. */
const PROGRAM = `
const { open } = await import(${JSON.stringify(pathToFileURL(entry).href)});
let state = 12;
const below = end => (state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff) % end;
const kinds = ['2000', 2000, 2000n, 'aé', 1.5, -1, true, null, 2n ** 64n - 1n, '', new Uint8Array([65])];
const texts = ['2000', '2000', '2000', 'aé', '1.5', '-1', '1', null, '18446744073709551615', '', 'A'];
const database = await open({ empty: 'params' });
const statement = await database.prepare('SELECT CAST(? AS CHAR) AS a, CAST(? AS CHAR) AS b');
const known = [];
let right = 0;
for (let step = 0; step < 6000; step++) {
  if (step % 300 === 0) known.push(below(kinds.length));
  const [a, b] = [0, 1].map(() => known[known.length - 1 - below(Math.min(3, known.length))]);
  const { rows } = await statement.query([kinds[a], kinds[b]]);
  if (rows[0].a === texts[a] && rows[0].b === texts[b]) right++;
}
console.log(right);
await database.close();
`;

// Code that is run often is compiled for the kinds that it has seen. With --predictable that is at the same step in each run.
test.skipIf(!existsSync(entry))('parameters of other kinds than those before arrive as they are', () => {
  const options = ['--predictable', '--input-type=module', '--eval', PROGRAM];
  expect(execFileSync(process.execPath, options, { encoding: 'utf8' })).toBe('6000\n');
});
