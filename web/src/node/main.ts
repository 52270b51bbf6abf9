/** The command `varve`. */
import { runCommandLine } from './cli.ts';
import type { Output } from './commands/output.ts';
import { editorOf } from './editor.ts';
import { open } from './index.ts';
import { openPages } from './pager.ts';
import { pipedText, terminalText } from './render/terminal.ts';

const shownOut = process.stdout.isTTY ? terminalText : pipedText;
const shownError = process.stderr.isTTY ? terminalText : pipedText;

/** Waits for a slow reader of the pipe instead of piling the output up. */
const write = (text: string): void | Promise<void> => {
  if (process.stdout.write(shownOut(text))) return;
  return new Promise(resolve => process.stdout.once('drain', resolve));
};

// `varve … | head` closes the pipe early: that is how it should end, quietly.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`varve: the output could not be written: ${error.message}\n`);
  process.exit(1);
});

// The reader of the output is gone.
process.stderr.on('error', () => {});

process.exitCode = await runCommandLine(process.argv.slice(2), {
  open,
  output: {
    out: write,
    error: text => void process.stderr.write(shownError(text)),
    isTerminal: process.stdout.isTTY === true,
  },
  input: process.stdin,
  useColor: process.stdout.isTTY === true && !process.env.NO_COLOR,
  environment: process.env,
  ...(process.stdin.isTTY && process.stdout.isTTY && { edit: editorOf(process.env) }),
  ...(process.stdout.isTTY && { openPages: (output: Output) => openPages(output, process.env) }),
});
