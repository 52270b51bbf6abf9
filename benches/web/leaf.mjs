// The leaf bench in wasm: one node of 4 KiB, scanned, read by ordinal, searched for a key that it has not; against decoding it
// to vectors. No imports, no boundary: the loops are in wasm. Prints medians in ns per operation and allocations.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { must, root } from '../../scripts/process.mjs';
import { saveResults } from './results.mjs';
import { median, table } from './statistics.mjs';

const ROUNDS = 15;
/** Runs of each operation in a round. */
const TIMES = {
  scan_by_columns: 50_000,
  scan_by_rows: 20_000,
  decode_to_owned: 5_000,
  ordinal: 500_000,
  missing_key: 200_000,
};
/** Bounds that Varve sets itself: ns. */
const BOUNDS = { ordinal: 60, missing_key: 250 };
const SCAN_RATIO = 5;

must('cargo', ['build', '--quiet', '--release', '--target', 'wasm32-unknown-unknown', '--package', 'leaf-wasm']);
const file = join(root, 'target/wasm32-unknown-unknown/release/leaf_wasm.wasm');
const { instance } = await WebAssembly.instantiate(readFileSync(file), {});
const wasm = instance.exports;

const samples = Object.fromEntries(Object.keys(TIMES).map(name => [name, []]));
const allocated = {};
for (let round = -2; round < ROUNDS; round++) {
  for (const [name, times] of Object.entries(TIMES)) {
    const before = wasm.allocations();
    const start = performance.now();
    wasm[name](times);
    const ns = ((performance.now() - start) * 1e6) / times;
    allocated[name] = (wasm.allocations() - before) / times;
    if (round >= 0) samples[name].push(ns);
  }
}

const middle = Object.fromEntries(Object.entries(samples).map(([name, values]) => [name, median(values)]));
const ratio = middle.decode_to_owned / middle.scan_by_columns;
const bound = name => (BOUNDS[name] === undefined ? '' : `${BOUNDS[name]} ns`);
const rows = Object.keys(TIMES).map(name => [
  name.replaceAll('_', ' '),
  `${middle[name].toFixed(1)} ns`,
  String(allocated[name]),
  name === 'scan_by_columns' ? `${SCAN_RATIO}x faster than owned: ${ratio.toFixed(1)}x` : bound(name),
]);
process.stdout.write('\nOne leaf of 4 KiB, (bigint, bigint) -> (bigint, bigint), in wasm\n\n');
process.stdout.write(`${table([['operation', 'median', 'allocations', 'bound'], ...rows])}\n`);
saveResults('leaf', 'node benches/web/leaf.mjs', { samples, allocated });
if (ratio < SCAN_RATIO || Object.entries(BOUNDS).some(([name, most]) => middle[name] > most)) process.exitCode = 1;
