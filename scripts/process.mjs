import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Root of the checkout, with a slash at its end. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** A step that cannot go on; the message is for the person who ran the command. */
export class Stop extends Error {}

/** @param {string} line */
export function say(line) {
  process.stdout.write(`${line}\n`);
}

/**
 * Output of a command, or undefined when it is missing or fails.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @returns {string | undefined}
 */
export function output(command, args) {
  const done = spawnSync(command, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return done.status === 0 ? done.stdout.trim() : undefined;
}

/**
 * Runs a command with the terminal's own input and output.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: Record<string, string> }} [options]
 * @returns {boolean} whether it succeeded
 */
export function succeeds(command, args, options = {}) {
  const env = { ...process.env, ...options.env };
  return spawnSync(command, args, { cwd: root, stdio: 'inherit', env }).status === 0;
}

/**
 * Runs a command and stops everything when it fails.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: Record<string, string> }} [options]
 */
export function must(command, args, options = {}) {
  if (!succeeds(command, args, options)) throw new Stop(`failed: ${command} ${args.join(' ')}`);
}

/**
 * Runs a command, hands each line of its output to `onLine` as it comes, and gives everything when it ends.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {(line: string) => void} onLine
 * @returns {Promise<{ ok: boolean, text: string }>}
 */
export function follow(command, args, onLine) {
  return new Promise(resolve => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    let rest = '';
    /** @param {Buffer} bytes */
    const take = bytes => {
      text += bytes;
      const lines = (rest + bytes).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) onLine(line);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('error', error => resolve({ ok: false, text: String(error) }));
    child.on('close', status => {
      if (rest !== '') onLine(rest);
      resolve({ ok: status === 0, text });
    });
  });
}

/**
 * Runs the body of a command; a {@link Stop} is printed without a stack and sets the exit code.
 *
 * @param {() => Promise<void>} body
 */
export async function command(body) {
  try {
    await body();
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    process.stderr.write(`\n${error.message}\n`);
    process.exitCode = 1;
  }
}
