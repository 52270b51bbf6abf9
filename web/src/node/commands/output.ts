/** Output of commands: streams, colours, result formats. */
import type { ResultStream } from '../../client/index.ts';
import { newRenderer, type ResultForm } from '../render/renderer.ts';
import { escapeControls } from '../render/terminal.ts';

/** Where commands write: the standard streams, or strings in tests. */
export interface Output {
  out(text: string): void | Promise<void>;
  error(text: string): void;
  /** Output is read interactively. This is independent of colours, which the user may not want. */
  readonly isTerminal?: boolean;
}

/** A wrong call of the command line; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Prints a result while it comes, or the results of a procedure. Gives what it was, for those who say more. */
export async function printResult(stream: ResultStream, form: ResultForm, output: Output) {
  const columns = await stream.columns;
  if (columns.length === 0) return stream.summary;
  let renderer = newRenderer(form, output.isTerminal ? escapeControls : undefined);
  let index = 0;
  await write(output, renderer.begin(columns));
  for await (const batch of stream) {
    if (batch.resultIndex !== index) {
      index = batch.resultIndex;
      await write(output, renderer.end());
      renderer = newRenderer(form, output.isTerminal ? escapeControls : undefined);
      await write(output, renderer.begin(batch.columns));
    }
    await write(output, renderer.batch(batch));
  }
  await write(output, renderer.end());
  return stream.summary;
}

async function write(output: Output, text: string): Promise<void> {
  if (text !== '') await output.out(text);
}
