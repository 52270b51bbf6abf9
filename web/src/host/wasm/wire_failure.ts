/** Decoder of failures. */
import type { Failure, FailureCode } from '../../protocol/index.ts';

/** Codes by number; rust/wasm/src/failure.rs has the same order. */
const CODES: readonly FailureCode[] = [
  'not_a_database',
  'unreadable',
  'unsupported',
  'usage',
  'read_only',
  'no_space',
  'gone',
];
const SQL = 0;
const TEXT_AT = 16;

/** Some messages have a value in them, which may have megabytes: so many characters of their beginning and of their end. */
const SHOWN_BEGINNING = 1000;
const SHOWN_END = 500;

function shown(message: string): string {
  if (message.length <= SHOWN_BEGINNING + SHOWN_END) return message;
  return `${message.slice(0, SHOWN_BEGINNING)}…${message.slice(-SHOWN_END)}`;
}

/**
 * Reads a failure of the engine: u8 0 for SQL and 1 for others, u8 code, u16 errno, 5 bytes SQLSTATE, a byte nothing,
 * u16 length of the hint, i32 position in UTF-16 units or -1, then the hint and the message.
 */
export function readFailure(bytes: Uint8Array): Failure {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const decoder = new TextDecoder();
  const messageAt = TEXT_AT + view.getUint16(10, true);
  const hint = decoder.decode(bytes.subarray(TEXT_AT, messageAt));
  const message = shown(decoder.decode(bytes.subarray(messageAt)));
  if (view.getUint8(0) !== SQL) return { kind: 'varve', code: CODES[view.getUint8(1)] ?? 'unreadable', message };
  const position = view.getInt32(12, true);
  return {
    kind: 'sql',
    errno: view.getUint16(2, true),
    sqlstate: decoder.decode(bytes.subarray(4, 9)),
    message,
    position: position < 0 ? null : position,
    hint: hint === '' ? null : hint,
  };
}
