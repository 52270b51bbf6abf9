/** Long outputs page by page, as native Dolt shows them: by $DOLT_PAGER, else less, else more. */
import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Writable } from 'node:stream';
import type { Output } from './commands/output.ts';
import type { Environment } from './identity.ts';
import { terminalText } from './render/terminal.ts';

/** Output that ends at once when it fits on the screen. */
export interface Pages {
  readonly output: Output;
  /** Waits until the person has read enough. */
  close(): Promise<void>;
}

/** The user has left the pager: further output is dropped. */
export class PagerLeft extends Error {}

/** Without a pager what is written goes to `output`. */
export function openPages(output: Output, environment: Environment): Pages {
  const [command, ...args] = pagerOf(environment);
  if (command === undefined) return { output, close: async () => {} };
  const pager = spawn(command, args, { stdio: ['pipe', 'inherit', 'inherit'] });
  // The next writer gets the error.
  pager.on('error', () => pager.stdin.destroy());
  pager.stdin.on('error', () => {});
  // It is for the pager to say what an interruption means: here it is that nothing more comes.
  const stop = (): void => void pager.stdin.end();
  process.on('SIGINT', stop);
  return {
    output: { ...output, out: text => write(pager.stdin, terminalText(text)) },
    close: async () => {
      pager.stdin.end();
      await ended(pager);
      process.off('SIGINT', stop);
    },
  };
}

/** What it is called with: less leaves long lines as they are, and itself where all fits on the screen. */
function pagerOf(environment: Environment): readonly string[] {
  const chosen = environment.DOLT_PAGER?.split(/\s+/).filter(Boolean) ?? [];
  const pagers = [chosen, ['less', '-FSRXd'], ['more']];
  return pagers.find(([command]) => command !== undefined && isProgram(command, environment)) ?? [];
}

function isProgram(command: string, { PATH = '' }: Environment): boolean {
  const files = command.includes('/') ? [command] : PATH.split(delimiter).map(directory => join(directory, command));
  return files.some(file => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Waits for the reader, who may be slow. */
function write(pages: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    pages.write(text, error => (error ? reject(new PagerLeft()) : resolve()));
  });
}

function ended(pager: ChildProcess): Promise<void> {
  return new Promise(resolve => {
    if (pager.pid === undefined || pager.exitCode !== null || pager.signalCode !== null) resolve();
    else pager.once('exit', () => resolve());
  });
}
