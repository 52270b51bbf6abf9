/** Decoder of failures. */
import {
  FAILURE_BYTES,
  FAILURE_CODE,
  FAILURE_CODES,
  FAILURE_ERRNO,
  FAILURE_HINT_BYTES,
  FAILURE_KIND,
  FAILURE_KINDS,
  FAILURE_POSITION,
  FAILURE_SQLSTATE,
  type Failure,
  type FailureCode,
} from '../../protocol/index.ts';

const CODES: readonly FailureCode[] = FAILURE_CODES;
const SQLSTATE_BYTES = 5;

/** Some messages have a value in them, which may have megabytes: so many characters of their beginning and of their end. */
const SHOWN_BEGINNING = 1000;
const SHOWN_END = 500;

function shown(message: string): string {
  if (message.length <= SHOWN_BEGINNING + SHOWN_END) return message;
  return `${message.slice(0, SHOWN_BEGINNING)}…${message.slice(-SHOWN_END)}`;
}

/** Reads a failure of the engine: the head, then the hint and the message. */
export function readFailure(bytes: Uint8Array): Failure {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const decoder = new TextDecoder();
  const messageAt = FAILURE_BYTES + view.getUint16(FAILURE_HINT_BYTES, true);
  const hint = decoder.decode(bytes.subarray(FAILURE_BYTES, messageAt));
  const message = shown(decoder.decode(bytes.subarray(messageAt)));
  if (view.getUint8(FAILURE_KIND) !== FAILURE_KINDS.sql) {
    return { kind: 'varve', code: CODES[view.getUint8(FAILURE_CODE)] ?? 'unreadable', message };
  }
  const position = view.getInt32(FAILURE_POSITION, true);
  return {
    kind: 'sql',
    errno: view.getUint16(FAILURE_ERRNO, true),
    sqlstate: decoder.decode(bytes.subarray(FAILURE_SQLSTATE, FAILURE_SQLSTATE + SQLSTATE_BYTES)),
    message,
    position: position < 0 ? null : position,
    hint: hint === '' ? null : hint,
  };
}
