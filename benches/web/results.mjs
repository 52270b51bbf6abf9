// A number comes with machine, date, command and samples, and is kept: benches/results/<date>-<machine>/.
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, hostname, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { output, root } from '../../scripts/process.mjs';

/**
 * @param {string} name of the file
 * @param {string} command that made it
 * @param {object} results
 */
export function saveResults(name, command, results) {
  const date = new Date().toISOString();
  const machine = process.env.BENCH_MACHINE ?? hostname();
  const directory = join(root, 'benches/results', `${date.slice(0, 10)}-${machine}`);
  mkdirSync(directory, { recursive: true });
  const made = {
    date,
    command,
    commit: output('git', ['rev-parse', 'HEAD']),
    processor: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryBytes: totalmem(),
    load: loadavg(),
    node: process.version,
  };
  writeFileSync(join(directory, `${name}.json`), `${JSON.stringify({ made, ...results }, null, 2)}\n`);
}
