/** Decoder of warnings about a lost root. */
import type { AttachWarning } from '../engine.ts';

const KINDS = ['torn_tail', 'damaged_record', 'missing_root'] as const;

/** Reads the line of `loss_line` in rust/wasm/src/attach.rs; null for an empty one. */
export function readWarning(database: string, bytes: Uint8Array): AttachWarning | null {
  if (bytes.length === 0) return null;
  const [name, heldBack, offset, dropped, records, expected, openedRoot = '', file = '', ...words] = new TextDecoder()
    .decode(bytes)
    .split('\t');
  const warning = {
    kind: KINDS.find(kind => kind === name) ?? 'damaged_record',
    database,
    file,
    offset: Number(offset),
    droppedBytes: Number(dropped),
    validRecords: Number(records),
    expectedRoot: expected === '' ? null : (expected ?? null),
    openedRoot,
    message: `${database}: ${words.join('\t')}`,
  };
  return { warning, isHeldBack: heldBack === '1' };
}
