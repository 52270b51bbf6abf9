// The step of the package's build that makes one file of what a page loads first, and one of its worker: `node bundle.mjs DIRECTORY`.
import { join } from 'node:path';
import { build } from 'rolldown';

const [directory = ''] = process.argv.slice(2);

// What comes with its first use is a file of its own.
await build({
  input: join(directory, 'lib/index.js'),
  output: { dir: join(directory, 'lib'), chunkFileNames: '[name].js' },
});
// Where the engine is, is written in its own code.
await build({
  input: join(directory, 'host/worker.js'),
  external: /\/wasm\/core\.js$/,
  output: { dir: join(directory, 'host') },
});
