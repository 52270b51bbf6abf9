/** Decoder of summaries, completions and warnings. */
import {
  type Analysis,
  type Completion,
  type Completions,
  type PieceProgress,
  type PieceWarnings,
  PROGRESS_BYTES,
  PROGRESS_DONE_BYTES,
  PROGRESS_END,
  PROGRESS_ROWS,
  PROGRESS_START,
  PROPOSAL_KINDS,
  SUMMARY_AFFECTED_ROWS,
  SUMMARY_BYTES,
  SUMMARY_LAST_INSERT_ID,
  SUMMARY_STAMP,
  SUMMARY_WARNINGS,
  WARNING_BYTES,
  WARNING_ERRNO,
  WARNING_LEVEL,
  WARNING_LEVELS,
  WARNING_TEXT_BYTES,
  type Warning,
} from '../../protocol/index.ts';
import type { EngineSummary } from '../engine.ts';

const LEVELS: readonly Warning['level'][] = WARNING_LEVELS;
const COMPLETION_KINDS: readonly Completion['kind'][] = PROPOSAL_KINDS;
const decoder = new TextDecoder();

/**
 * Reads a summary that is in memory: the head, the warnings, then the info. Every statement ends with one, and most have no texts: views
 * are made for these alone.
 */
export function readSummary(memory: DataView, start: number, length: number): EngineSummary {
  const end = start + length;
  const warnings: Warning[] = [];
  let at = start + SUMMARY_BYTES;
  for (let left = memory.getUint32(start + SUMMARY_WARNINGS, true); left > 0; left--) {
    const { warning, next } = readWarning(memory, at);
    warnings.push(warning);
    at = next;
  }
  return {
    affectedRows: Number(unsignedAt(memory, start + SUMMARY_AFFECTED_ROWS)),
    lastInsertId: unsignedAt(memory, start + SUMMARY_LAST_INSERT_ID),
    warnings,
    info: at < end ? textOf(memory, at, end - at) : '',
  };
}

/** Reads a warning: the head, then the text. */
function readWarning(memory: DataView, at: number): { readonly warning: Warning; readonly next: number } {
  const textAt = at + WARNING_BYTES;
  const textLength = memory.getUint32(at + WARNING_TEXT_BYTES, true);
  const warning: Warning = {
    level: LEVELS[memory.getUint8(at + WARNING_LEVEL)] ?? 'Warning',
    errno: memory.getUint16(at + WARNING_ERRNO, true),
    message: textOf(memory, textAt, textLength),
  };
  return { warning, next: textAt + textLength };
}

/** The stamp of the session in a summary. */
export function readStamp(memory: DataView, start: number): number {
  return memory.getUint32(start + SUMMARY_STAMP, true);
}

function textOf({ buffer, byteOffset }: DataView, at: number, length: number): string {
  return decoder.decode(new Uint8Array(buffer, byteOffset + at, length));
}

/**
 * Reads how far a piece is: the progress, then of a script u32 warnings, and of the first ones u32 start of the statement and the warning.
 */
export function readPieceProgress(bytes: Uint8Array): PieceProgress {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    start: view.getUint32(PROGRESS_START, true),
    end: view.getUint32(PROGRESS_END, true),
    doneBytes: view.getUint32(PROGRESS_DONE_BYTES, true),
    rows: Number(unsignedAt(view, PROGRESS_ROWS)),
    ...(view.byteLength > PROGRESS_BYTES && { warnings: readPieceWarnings(view) }),
  };
}

function readPieceWarnings(view: DataView): PieceWarnings {
  const first: (Warning & { readonly at: number })[] = [];
  for (let at = PROGRESS_BYTES + 4; at < view.byteLength; ) {
    const { warning, next } = readWarning(view, at + 4);
    first.push({ ...warning, at: view.getUint32(at, true) });
    at = next;
  }
  return { count: view.getUint32(PROGRESS_BYTES, true), first };
}

/** A number unless it is too large for one. Two halves, for every statement ends here and most of them are small. */
function unsignedAt(view: DataView, at: number): number | bigint {
  const high = view.getUint32(at + 4, true);
  return high < 2 ** 21 ? high * 2 ** 32 + view.getUint32(at, true) : view.getBigUint64(at, true);
}

/** Reads completions: u32 start of the word, then lines of a kind's digit, a label, a tab and a detail. */
/** What `rust/wasm/src/analysis.rs` writes about `sql`. */
export function readAnalysis(bytes: Uint8Array, sql: string): Analysis {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const decoder = new TextDecoder();
  let at = 0;
  const number = () => {
    at += 4;
    return view.getUint32(at - 4, true);
  };
  const text = () => {
    const length = number();
    at += length;
    return decoder.decode(bytes.subarray(at - length, at));
  };
  const roles = Array.from({ length: number() }, () => PLACEHOLDER_ROLES[number()] ?? 'other');
  const isRowQuery = number() === 1;
  const rowQuery = isRowQuery
    ? {
        table: text(),
        alias: text(),
        selected: sql.slice(number(), number()),
        condition: sql.slice(number(), number()),
      }
    : null;
  const names: string[] = [];
  while (at < bytes.length) names.push(text());
  return { placeholders: roles, rowQuery, names };
}

const PLACEHOLDER_ROLES = ['other', 'member', 'count'] as const;

export function readCompletions(bytes: Uint8Array): Completions {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lines = decoder.decode(bytes.subarray(4)).split('\n').filter(Boolean);
  const items = lines.map(line => {
    const [label = '', detail = ''] = line.slice(1).split('\t');
    return { label, kind: COMPLETION_KINDS[Number(line[0])] ?? 'keyword', detail };
  });
  return { from: view.getUint32(0, true), items };
}

/** Reads lines of a name, a tab and a number. */
export function readCounters(bytes: Uint8Array): Record<string, number> {
  const counters: Record<string, number> = {};
  for (const line of decoder.decode(bytes).split('\n')) {
    const [name, value] = line.split('\t');
    if (name && value !== undefined) counters[name] = Number(value);
  }
  return counters;
}
