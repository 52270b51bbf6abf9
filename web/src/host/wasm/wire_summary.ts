/** Decoder of summaries, completions and warnings. */
import type { Analysis, Completion, Completions, PieceProgress, PieceWarnings, Warning } from '../../protocol/index.ts';
import type { EngineSummary } from '../engine.ts';

const LEVELS: readonly Warning['level'][] = ['Note', 'Warning', 'Error'];
const COMPLETION_KINDS: readonly Completion['kind'][] = [
  'keyword',
  'database',
  'table',
  'column',
  'function',
  'procedure',
  'variable',
  'branch',
  'type',
];
const decoder = new TextDecoder();

/**
 * Reads a summary that is in memory: u64 affected rows, u64 last insert id, u32 stamp of the session, u32 warnings, each u8 level, u16 errno, u32 length and text;
 * then info. Every statement ends with one, and most have no texts: views are made for these alone.
 */
export function readSummary(memory: DataView, start: number, length: number): EngineSummary {
  const end = start + length;
  const warnings: Warning[] = [];
  let at = start + 24;
  for (let left = memory.getUint32(start + 20, true); left > 0; left--) {
    const { warning, next } = readWarning(memory, at);
    warnings.push(warning);
    at = next;
  }
  return {
    affectedRows: Number(unsignedAt(memory, start)),
    lastInsertId: unsignedAt(memory, start + 8),
    warnings,
    info: at < end ? textOf(memory, at, end - at) : '',
  };
}

/** u8 level, u16 errno, u32 length and text. */
function readWarning(memory: DataView, at: number): { readonly warning: Warning; readonly next: number } {
  const textAt = at + 7;
  const textLength = memory.getUint32(at + 3, true);
  const warning: Warning = {
    level: LEVELS[memory.getUint8(at)] ?? 'Warning',
    errno: memory.getUint16(at + 1, true),
    message: textOf(memory, textAt, textLength),
  };
  return { warning, next: textAt + textLength };
}

/** The stamp of the session in a summary. */
export function readStamp(memory: DataView, start: number): number {
  return memory.getUint32(start + 16, true);
}

function textOf({ buffer, byteOffset }: DataView, at: number, length: number): string {
  return decoder.decode(new Uint8Array(buffer, byteOffset + at, length));
}

/**
 * Reads how far a piece is: u32 start and end of a script's last statement or of the row that was refused, u32 bytes that are done with, u64
 * rows; of a script u32 warnings, and of the first ones u32 start of the statement and the warning.
 */
export function readPieceProgress(bytes: Uint8Array): PieceProgress {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    start: view.getUint32(0, true),
    end: view.getUint32(4, true),
    doneBytes: view.getUint32(8, true),
    rows: Number(unsignedAt(view, 12)),
    ...(view.byteLength > WARNINGS_AT && { warnings: readPieceWarnings(view) }),
  };
}

/** The number of a script's warnings in its progress. */
const WARNINGS_AT = 20;

function readPieceWarnings(view: DataView): PieceWarnings {
  const first: (Warning & { readonly at: number })[] = [];
  for (let at = WARNINGS_AT + 4; at < view.byteLength; ) {
    const { warning, next } = readWarning(view, at + 4);
    first.push({ ...warning, at: view.getUint32(at, true) });
    at = next;
  }
  return { count: view.getUint32(WARNINGS_AT, true), first };
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
