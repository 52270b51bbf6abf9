// The step of the package's build that makes one file of what a page loads first, one of its worker, and puts other packages into what Node
// loads, so that the package depends on none: `node bundle.mjs DIRECTORY`.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'rolldown';

const [directory = ''] = process.argv.slice(2);

// What comes with its first use is a file of its own.
await build({
  input: join(directory, 'lib/index.js'),
  output: { dir: join(directory, 'lib'), chunkFileNames: '[name].js' },
});
// A thread of Node loads each module of a graph from the disk, as its process has done.
await build({
  input: join(directory, 'node/thread.js'),
  // Other packages are for the last step.
  external: /^(@connectrpc|@bufbuild|aws4fetch)/,
  platform: 'node',
  output: { dir: join(directory, 'node') },
});
// Where the engine is, is written in its own code.
await build({
  input: join(directory, 'host/worker.js'),
  external: /\.\.\/\.\.\/wasm\/core\.js$/,
  output: { dir: join(directory, 'host') },
});

// Modules of Node stay where they are, for they share classes; the packages that some import are beside them.
const using = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.js') && !/^(lib|host)[/\\][^/\\]*$/.test(name))
  .filter(name => /from ['"](@connectrpc|@bufbuild|aws4fetch)/.test(readFileSync(join(directory, name), 'utf8')));
await build({
  input: Object.fromEntries(using.map(name => [name.replace(/\.js$/, ''), join(directory, name)])),
  external: (id, importer) => id.startsWith('.') && importer !== undefined && isOwn(importer),
  platform: 'node',
  output: {
    dir: directory,
    entryFileNames: '[name].js',
    chunkFileNames: 'packages/[name].js',
    banner: '// Includes @bufbuild/protobuf and @connectrpc/connect (Apache-2.0), and aws4fetch (MIT).',
  },
});

/** @param {string} file */
function isOwn(file) {
  return !relative(directory, file).includes('node_modules');
}
