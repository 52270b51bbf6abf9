// The step of the console's build that writes its service worker, which has to know every file of the build.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './process.mjs';

const NAME = 'service_worker.js';
/** Databases that are read where they lie, in ranges. */
const LEFT_OUT = /^sample\/seed_bank\//;

/** @returns {import('vite').Plugin} */
export function serviceWorker() {
  return {
    name: 'varve:service-worker',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'chunk', id: join(root, 'web/src/offline/service_worker.ts'), fileName: NAME });
    },
    writeBundle: { order: 'post', sequential: true, handler: ({ dir = '' }) => writeFiles(dir) },
  };
}

/**
 * Hashes as `integrity` of a request has them, by the addresses at which the page asks for the files.
 *
 * @param {string} directory
 */
function writeFiles(directory) {
  /** @type {Record<string, string>} */
  const files = {};
  for (const entry of readdirSync(directory, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    const name = relative(directory, path).replaceAll('\\', '/');
    if (!entry.isFile() || name === NAME || LEFT_OUT.test(name)) continue;
    const hash = createHash('sha256').update(readFileSync(path)).digest('base64');
    files[name === 'index.html' ? './' : name] = `sha256-${hash}`;
  }
  const names = Object.keys(files).sort();
  const version = createHash('sha256').update(JSON.stringify(names.map(name => [name, files[name]])));
  const build = {
    version: version.digest('hex').slice(0, 16),
    files: Object.fromEntries(names.map(name => [name, files[name]])),
  };
  const script = join(directory, NAME);
  writeFileSync(script, `const BUILD=${JSON.stringify(build)};\n${readFileSync(script, 'utf8')}`);
}
