/** What the options of an import leave open and the beginning of its text says. */
import { isGzip } from '../../../protocol/index.ts';
import { findForm, firstCsvRows, startsWithRowNames } from '../csv/csv_separator.ts';
import { rowsDecoder } from '../text/encodings.ts';
import { rawPieces } from '../text/text_input.ts';
import type { ImportRowsOptions, TextInput } from '../transfer_types.ts';

/** So much of a text is looked at. */
const HEAD_LENGTH = 1 << 16;

/** Options of an import that has looked at the beginning of its text. */
export interface SniffedOptions extends ImportRowsOptions {
  /** The first field of each line has no title, as R writes the names of rows. */
  readonly hasRowNames?: boolean;
}

/** The options with what separates fields, and whether lines begin with names. An input that can be read only once is given back whole. */
export async function sniffed(
  input: TextInput,
  options: SniffedOptions,
): Promise<{ readonly input: TextInput; readonly options: SniffedOptions }> {
  const { format, create, columns, map, hasRowNames } = options;
  const isTitled = create && columns === undefined && map === undefined && hasRowNames === undefined;
  const isSaid = [options.separator, options.escape, options.skipLines].every(said => said !== undefined);
  if (format !== 'csv' || (isSaid && !isTitled)) return { input, options };
  const { head, isWhole, whole } = await headOf(input);
  const text = decoded(head, options.encoding);
  const form = findForm(text, isWhole, options);
  const found = isTitled && { hasRowNames: startsWithRowNames(firstCsvRows(text, form, isWhole)) };
  return { input: whole, options: { ...options, ...form, ...found } };
}

interface Head {
  readonly head: readonly (Uint8Array | string)[];
  /** The text has no more. */
  readonly isWhole: boolean;
  readonly whole: TextInput;
}

async function headOf(input: TextInput): Promise<Head> {
  if (typeof input === 'string' || (input instanceof Uint8Array && !isGzip(input)))
    return { head: [input.slice(0, HEAD_LENGTH)], isWhole: input.length <= HEAD_LENGTH, whole: input };
  if (input instanceof Blob) {
    const bytes = new Uint8Array(await input.slice(0, HEAD_LENGTH).arrayBuffer());
    if (!isGzip(bytes)) return { head: [bytes], isWhole: input.size <= HEAD_LENGTH, whole: input };
  }
  const pieces = rawPieces(input);
  const head: (Uint8Array | string)[] = [];
  let length = 0;
  let isWhole = false;
  while (length < HEAD_LENGTH && !isWhole) {
    const { value, done } = await pieces.next();
    if (done) isWhole = true;
    else {
      head.push(value);
      length += value.length;
    }
  }
  async function* whole(): AsyncIterableIterator<Uint8Array | string> {
    try {
      yield* head;
      if (!isWhole) yield* pieces;
    } finally {
      await pieces.return?.();
    }
  }
  return { head, isWhole, whole: whole() };
}

/** Its text; invalid bytes are reported when they are read. */
function decoded(head: readonly (Uint8Array | string)[], encoding: string | undefined): string {
  const decoder = rowsDecoder(encoding);
  let text = '';
  try {
    for (const piece of head) {
      text += typeof piece === 'string' ? piece : decoder.decode(piece);
      if (text.length >= HEAD_LENGTH) break;
    }
  } catch {
    // What was read before them says enough.
  }
  return text;
}
