// What is built from what. Each step leaves the hash of its inputs in .cache/build and does nothing while that holds.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { must, root, say } from './process.mjs';

const TYPESCRIPT = [
  'package-lock.json',
  'tsconfig.base.json',
  'tsconfig.json',
  'scripts/steps.mjs',
  'scripts/bundle.mjs',
];
const CONSOLE_SCRIPTS = [
  'scripts/steps.mjs',
  'scripts/page_parts.mjs',
  'scripts/preloads.mjs',
  'scripts/service_worker.mjs',
];
const PACKAGE_FOLDERS = ['protocol', 'client', 'host', 'node', 'lib'].map(folder => `web/src/${folder}`);

/** dist/wasm: the engine. `cargo xtask wasm` keeps its own account of inputs. */
export function buildWasm() {
  must('cargo', ['xtask', 'wasm']);
}

/**
 * dist/package: what `import 'varve'` and the command line load; plain `tsc` output beside type declarations. What a browser loads is one file
 * for the page, one for what it uses later, and one for the worker: without a bundler each import more is a request that waits for another.
 */
export function buildPackage() {
  step('package', [...TYPESCRIPT, ...PACKAGE_FOLDERS], 'dist/package/lib/index.js', () => {
    const directory = join(root, 'dist/package');
    rmSync(directory, { recursive: true, force: true });
    const emit = ['--noEmit', 'false', '--declaration', '--rootDir', 'web/src', '--outDir', 'dist/package'];
    for (const project of ['tsconfig.package.json', 'web/src/host', 'web/src/node/tsconfig.package.json']) {
      must('node_modules/.bin/tsc', ['-p', project, ...emit]);
    }
    pointAtBuiltFiles(directory);
    must(process.execPath, ['scripts/bundle.mjs', directory]);
  });
}

/** dist/console: the web page. */
export function buildConsole() {
  const inputs = ['package-lock.json', 'tsconfig.base.json', 'vite.config.ts', ...CONSOLE_SCRIPTS, 'web', 'dist/wasm'];
  step('console', inputs, 'dist/console/index.html', () => {
    must('node_modules/.bin/vite', ['build', '--logLevel', 'warn']);
  });
}

export function buildAll() {
  buildWasm();
  buildPackage();
  buildConsole();
}

/**
 * What `tsc` leaves as it was written: `new URL('./x.ts', import.meta.url)`, with which workers are started; where the engine is; and `#core`,
 * which bundlers resolve but a browser that loads the package as it is does not.
 *
 * @param {string} directory
 */
function pointAtBuiltFiles(directory) {
  for (const file of filesBelow(directory).filter(name => name.endsWith('.js'))) {
    const before = readFileSync(file, 'utf8');
    const core = relative(dirname(file), join(root, 'dist/wasm/core.js'));
    const after = before
      .replace(/(new URL\(\s*['"][^'"]+)\.ts(['"],\s*import\.meta\.url)/g, '$1.js$2')
      .replace(/(new URL\(\s*['"])[./]+dist\/wasm\//g, `$1${dirname(core)}/`)
      .replace(/(['"])#core\1/g, `'${core}'`);
    if (after !== before) writeFileSync(file, after);
  }
}

/**
 * @param {string} name
 * @param {readonly string[]} inputs files and directories, relative to the root
 * @param {string} product a file that the step leaves behind
 * @param {() => void} build
 */
function step(name, inputs, product, build) {
  const stamp = join(root, '.cache/build', name);
  const wanted = fingerprint(inputs);
  if (existsSync(join(root, product)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  say(`Building the ${name} …`);
  build();
  mkdirSync(join(root, '.cache/build'), { recursive: true });
  writeFileSync(stamp, wanted);
}

/** @param {readonly string[]} inputs */
function fingerprint(inputs) {
  const hash = createHash('sha256');
  for (const input of inputs) {
    const path = join(root, input);
    const files = existsSync(path) && statSync(path).isDirectory() ? filesBelow(path) : [path];
    for (const file of files) {
      if (/\.test\.tsx?$/.test(file)) continue;
      hash.update(`${file.slice(root.length)}\0`);
      if (existsSync(file)) hash.update(createHash('sha256').update(readFileSync(file)).digest());
    }
  }
  return hash.digest('hex');
}

/**
 * @param {string} directory
 * @returns {string[]} every file below it, sorted
 */
function filesBelow(directory) {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}
