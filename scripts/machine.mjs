// What a machine needs before anything can be built or tested, each installed only when it is missing.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statfsSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { findChromium } from './chromium.mjs';
import { DOLT_DIRECTORY, findDolt } from './dolt.mjs';
import { must, output, root, Stop, say, succeeds } from './process.mjs';

const NODE_OLDEST = [20, 19];
const WASM_TARGET = 'wasm32-unknown-unknown';

/** The release of native Dolt that the interop tests were written against: 2.2.0, as a Go pseudo-version. */
const DOLT = 'github.com/dolthub/dolt/go/cmd/dolt@v0.40.5-0.20260715172757-a6690826d767';

/** What building and testing from nothing takes of the disk, with room for the browser's profiles. */
const SPACE_BYTES = 6e9;

/** A disk that fills up in the middle of a link shows as a crash of the linker: said before. */
export function checkSpace() {
  if (existsSync(join(root, 'target/debug'))) return; // Most of it is there.
  const { bavail, bsize } = statfsSync(root);
  const freeBytes = bavail * bsize;
  if (freeBytes >= SPACE_BYTES) return;
  const [free, needed] = [freeBytes, SPACE_BYTES].map(bytes => `${(bytes / 1e9).toFixed(1)} GB`);
  say(`There are ${free} left on the disk of ${root}; building everything for the tests takes about ${needed}.`);
}

/** Node, Rust with the wasm target, a linker, npm packages. */
export function prepareBuild() {
  checkNode();
  installNpmPackages();
  installLinker();
  installRust();
}

/** What only tests need. */
export function prepareTests() {
  installChromium();
  installFirefox();
  installDolt();
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = NODE_OLDEST;
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
    throw new Stop(
      `Varve needs Node ${NODE_OLDEST.join('.')} or newer to build; this is ${process.versions.node} (https://nodejs.org).`,
    );
  }
}

/** `npm ci`, unless node_modules was made from this very package-lock.json. */
function installNpmPackages() {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const stamp = join(root, 'node_modules/.varve-lock');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  say('Installing npm packages …');
  must('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  writeFileSync(stamp, lock);
}

/** rustc links build scripts and tests through `cc`; rustup does not bring one along. */
function installLinker() {
  if (output('which', ['cc'])) return;
  aptInstall(['gcc', 'libc6-dev'], 'A C compiler (`cc`), with which Rust links its programs, is missing');
}

function installRust() {
  const cargoBin = join(homedir(), '.cargo/bin');
  if (!output('which', ['cargo']) && existsSync(join(cargoBin, 'cargo'))) {
    process.env.PATH = `${cargoBin}${delimiter}${process.env.PATH ?? ''}`;
  }
  if (!output('which', ['cargo'])) {
    throw new Stop(
      "Rust is missing. Install rustup, then run this again:\n  curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh",
    );
  }
  if (hasWasmTarget()) return;
  if (!output('which', ['rustup'])) {
    throw new Stop(`This Rust has no ${WASM_TARGET} and there is no rustup to add it (https://rustup.rs).`);
  }
  say('Installing the Rust toolchain of rust-toolchain.toml …');
  // Newer rustups install a missing toolchain only when told to; `target add` then finds it there.
  succeeds('rustup', ['toolchain', 'install']);
  must('rustup', ['target', 'add', WASM_TARGET]);
}

function hasWasmTarget() {
  const sysroot = output('rustc', ['--print', 'sysroot']);
  return sysroot !== undefined && existsSync(join(sysroot, 'lib/rustlib', WASM_TARGET));
}

function installChromium() {
  if (findChromium() !== undefined) return;
  aptInstall(['chromium', 'fonts-dejavu-core'], 'Chromium, in which the browser tests run, is missing');
  if (findChromium() === undefined) throw new Stop('Chromium was installed but is not in the PATH.');
}

/** Firefox lets one tab at a time have a file open. CI runs its story where it can be had; elsewhere the story says that it was skipped. */
function installFirefox() {
  if (!process.env.CI || ['firefox-esr', 'firefox'].some(name => output('which', [name]))) return;
  try {
    aptInstall(['firefox-esr'], 'Firefox is missing');
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    say('Firefox could not be installed: its story will say "skipped".');
  }
}

/**
 * Native Dolt, the oracle of the interop tests: taken from where it is, else built by Go.
 * Without Go those tests say that they were skipped, except that CI with Go must run them.
 */
function installDolt() {
  const found = findDolt();
  if (found !== undefined) return useDolt(found);
  if (!output('which', ['go'])) {
    say('Native Dolt is not installed and there is no Go to build it: interop tests will say "skipped".');
    return;
  }
  say('Building native Dolt for the interop tests …');
  const failure = buildDolt(DOLT_DIRECTORY);
  if (failure === undefined) return useDolt(join(DOLT_DIRECTORY, 'dolt'));
  if (process.env.CI) throw new Stop(`CI must run the interop tests: ${failure}`);
  say(`${failure}: interop tests will say "skipped".`);
}

/**
 * @param {string} directory where the binary goes
 * @returns {string | undefined} why it could not be built
 */
function buildDolt(directory) {
  try {
    if (!existsSync('/usr/include/unicode/uregex.h') || !output('which', ['g++'])) {
      aptInstall(['libicu-dev', 'g++'], 'ICU and a C++ compiler, with which Dolt is built, are missing');
    }
  } catch (error) {
    if (error instanceof Stop) return error.message;
    throw error;
  }
  return succeeds('go', ['install', DOLT], { env: { GOBIN: directory } })
    ? undefined
    : 'native Dolt could not be built';
}

/** @param {string} path what tests of all kinds find it by */
function useDolt(path) {
  process.env.VARVE_DOLT = path;
}

/**
 * Installs Debian packages, as root or through sudo.
 *
 * @param {readonly string[]} packages
 * @param {string} why said when it cannot be done
 */
function aptInstall(packages, why) {
  const byHand = `${why}.\nInstall it, then run this again:\n  sudo apt-get install ${packages.join(' ')}`;
  if (!output('which', ['apt-get'])) throw new Stop(byHand);
  /** @type {string[]} */
  let prefix = [];
  if (process.getuid?.() !== 0) {
    // A person at a terminal can type a password; nobody else can.
    if (!output('which', ['sudo'])) throw new Stop(byHand);
    prefix = process.stdin.isTTY ? ['sudo'] : ['sudo', '-n'];
  }
  say(`Installing ${packages.join(', ')} …`);
  /** @param {string[]} words */
  const apt = words => {
    const [command = '', ...args] = [...prefix, 'apt-get', '-q', '-y', ...words];
    return succeeds(command, args, { env: { DEBIAN_FRONTEND: 'noninteractive' } });
  };
  const install = ['install', '--no-install-recommends', ...packages];
  if (!apt(install) && !(apt(['update']) && apt(install))) throw new Stop(byHand);
}
