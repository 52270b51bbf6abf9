import type { StatementSpan } from '../../protocol/index.ts';
import type { Queries, StatementOptions } from '../types.ts';
import { scriptDecoder } from './encodings.ts';
import { withHexLiterals } from './raw_bytes.ts';
import { pieces } from './text_input.ts';
import type { ImportResult, ImportSqlOptions, TextInput } from './transfer_types.ts';

/** So much text is collected before it is split: a statement that is longer is collected until its end. */
const PIECE_CHARACTERS = 256 * 1024;

type Split = (script: string) => Promise<readonly StatementSpan[]>;

/**
 * Runs a script that is too long to hold.
 *
 * @param session of its own: a dump changes settings of the session that it runs in.
 */
export async function importSql(
  session: Queries,
  split: Split,
  input: TextInput,
  options: ImportSqlOptions = {},
): Promise<ImportResult> {
  const { signal, onProgress, onError } = options;
  const statementOptions: StatementOptions = { ...(signal && { signal }) };
  let [rows, bytes] = [0, 0];
  const run = async (sql: string): Promise<void> => {
    signal?.throwIfAborted();
    try {
      rows += (await session.query(withHexLiterals(sql), [], statementOptions)).affectedRows;
    } catch (error) {
      if (onError === undefined || signal?.aborted) throw error;
      onError(error, sql);
    }
  };
  let script = '';
  let wanted = PIECE_CHARACTERS;
  /** What DELIMITER was set to in a part that is gone. */
  let delimiter = '';
  for await (const piece of pieces(input, scriptDecoder(options.encoding))) {
    script += piece.text;
    bytes += piece.bytes;
    if (script.length < wanted) continue;
    const known = delimiter + script;
    const statements = await split(known);
    const last = statements.at(-1);
    // The last statement may go on in the next piece.
    const whole = statements.slice(0, -1);
    for (const { sql } of whole) await run(sql);
    const done = last === undefined ? delimiter.length : Math.max(last.start, delimiter.length);
    delimiter = delimiterAt(known.slice(0, done)) ?? delimiter;
    script = known.slice(done);
    wanted = script.length + PIECE_CHARACTERS;
    onProgress?.({ table: '', rows, bytes });
  }
  for (const { sql } of await split(delimiter + script)) await run(sql);
  onProgress?.({ table: '', rows, bytes });
  return { rows, bytes };
}

/** The last DELIMITER line of a text, to be put before what follows. */
function delimiterAt(text: string): string | null {
  const [last] = [...text.matchAll(/^[ \t]*delimiter[ \t]+(\S+)[ \t]*$/gim)].slice(-1);
  return last === undefined ? null : `DELIMITER ${last[1]}\n`;
}
