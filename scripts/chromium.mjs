import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Names under which distributions install Chromium or Chrome, in order of preference. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/**
 * Path of an installed Chromium, or undefined when there is none.
 * `CHROMIUM` in the environment wins. Playwright's own download is never used: it would be a second browser of 400 MB.
 *
 * @returns {string | undefined}
 */
export function findChromium() {
  const chosen = process.env.CHROMIUM;
  if (chosen && existsSync(chosen)) return chosen;
  for (const name of NAMES) {
    try {
      return execFileSync('which', [name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    } catch {
      // Not under this name.
    }
  }
  return undefined;
}

/**
 * Options with which Playwright and Vitest launch it. Root (a container) has no sandbox to offer.
 *
 * @returns {{ executablePath?: string, args: string[] }}
 */
export function chromiumLaunchOptions() {
  const executablePath = findChromium();
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return executablePath === undefined ? { args } : { executablePath, args };
}
