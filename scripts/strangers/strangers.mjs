// Files of strangers: imports each dump, CSV and JSON file and database of a folder, exports it, imports it again, compares with the source
// and with native Dolt, and prints what differs by its kind.
//
// node scripts/strangers/strangers.mjs FOLDER [--no-native] [--most 5]        (after `npm run build`)
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findDolt } from '../dolt.mjs';
import { isOfStrangers, roundTrip } from './round_trip.mjs';

/** The package, as it was built. */
const { open } = await import(new URL('../../dist/package/node/index.js', import.meta.url).href);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'no-native': { type: 'boolean' }, most: { type: 'string', default: '5' } },
});
const [folder] = positionals;
if (folder === undefined)
  throw new Error('usage: node scripts/strangers/strangers.mjs FOLDER [--no-native] [--most 5]');
const dolt = values['no-native'] ? undefined : findDolt();
const scratch = mkdtempSync(join(tmpdir(), 'varve-strangers-'));
/** @type {Map<string, string[]>} */
const kinds = new Map();
let [files, same] = [0, 0];
try {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!isOfStrangers(name)) continue;
    files++;
    const found = await roundTrip(join(folder, name), { open, dolt, scratch });
    if (found.length === 0) same++;
    for (const { kind, detail } of found) kinds.set(kind, [...(kinds.get(kind) ?? []), `${name}: ${detail}`]);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
console.log(`${files} files, ${same} the same everywhere${dolt === undefined ? ', without native Dolt' : ''}`);
for (const [kind, details] of kinds) {
  console.log(`\n${kind}: ${details.length}`);
  for (const detail of details.slice(0, Number(values.most))) console.log(`  ${detail.slice(0, 200)}`);
}
