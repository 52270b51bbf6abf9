/** How a file begins: which encoding it may have, and what a person sees of it before it is imported. */
import { scriptEncodingOf } from '../../lib/index.ts';
import { type ImportFormat, isCompressed } from './formats.ts';

/** So much of a file is looked at. */
const HEAD_BYTES = 64 * 1024;
const PREVIEW_LINES = 4;
const PREVIEW_CHARACTERS = 200;

/** Encodings to choose from, by their labels in the Encoding Standard. */
export const ENCODINGS = [
  { id: 'utf-8', name: 'UTF-8' },
  { id: 'utf-16le', name: 'UTF-16' },
  { id: 'utf-16be', name: 'UTF-16 (big-endian)' },
  { id: 'windows-1252', name: 'Western (Windows-1252)' },
  { id: 'windows-1250', name: 'Central European (Windows-1250)' },
  { id: 'windows-1251', name: 'Cyrillic (Windows-1251)' },
  { id: 'windows-1253', name: 'Greek (Windows-1253)' },
  { id: 'windows-1254', name: 'Turkish (Windows-1254)' },
  { id: 'shift_jis', name: 'Japanese (Shift JIS)' },
  { id: 'gb18030', name: 'Chinese (GB 18030)' },
  { id: 'big5', name: 'Chinese (Big5)' },
  { id: 'euc-kr', name: 'Korean (EUC-KR)' },
] as const;

/** Chosen of a script: what its statements say, such as `SET NAMES latin1`, and UTF-8 where they say nothing. */
export const AS_SCRIPT_SAYS = 'script';

/** What most files are that are no UTF-8. */
const OTHER_ENCODING = 'windows-1252';

/** The default encoding. */
export function likelyEncoding({ encoding }: FileHead, format: ImportFormat): string {
  if (format === 'sql') return encoding?.startsWith('utf-16') ? encoding : AS_SCRIPT_SAYS;
  return encoding ?? OTHER_ENCODING;
}

/** The label of an encoding that was chosen. */
export function encodingLabel({ bytes }: FileHead, chosen: string): string {
  return chosen === AS_SCRIPT_SAYS ? scriptEncodingOf(bytes) : chosen;
}

export interface FileHead {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What its mark says, or UTF-8; undefined where it is none of these. */
  readonly encoding: string | undefined;
  /** The file has no more. */
  readonly isWhole: boolean;
}

export async function headOf(file: File): Promise<FileHead> {
  const bytes = await firstBytes(file);
  return { bytes, encoding: encodingOf(bytes), isWhole: !isCompressed(file) && file.size <= HEAD_BYTES };
}

async function firstBytes(file: File): Promise<Uint8Array<ArrayBuffer>> {
  if (!isCompressed(file)) return new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const reader = file.stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  try {
    const { value } = await reader.read();
    return value === undefined ? new Uint8Array() : value.slice(0, HEAD_BYTES);
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Browsers give no bytes of a file that is another one by now; what they say of it names no reason. */
export async function whyUnreadable(file: File): Promise<string | undefined> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return undefined;
  } catch {
    return `${file.name} was changed, moved or deleted. Choose it again`;
  }
}

export function encodingOf(bytes: Uint8Array<ArrayBuffer>): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  try {
    // The last character may go on behind the head.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return 'utf-8';
  } catch {
    return undefined;
  }
}

/** Whether it can be text in this encoding: none but UTF-16 has bytes that are 0. Images and spreadsheets have them. */
export function canBeText({ bytes }: FileHead, encoding: string): boolean {
  return encoding.startsWith('utf-16') || !bytes.includes(0);
}

/** JSON that is no array of objects, but one object after the other; `{"rows": […]}` is how Dolt writes an array. */
export function areObjectsApart(head: FileHead): boolean {
  return /^\ufeff?\s*\{(?!\s*("rows"\s*:\s*\[|\}))/.test(textIn(head, head.encoding ?? 'utf-8'));
}

/** What was looked at, as it reads in an encoding. */
export function textIn(head: FileHead, encoding: string): string {
  return new TextDecoder(encodingLabel(head, encoding)).decode(head.bytes, { stream: true });
}

/** The first lines as they read in an encoding. */
export function previewOf(head: FileHead, encoding: string): string {
  const lines = textIn(head, encoding)
    .split(/\r\n|\n|\r/)
    // What a dump says of itself is before what it does.
    .filter(line => !/^(--( |$)|\s*$|\/\*!.*\*\/;?$)/.test(line));
  return lines
    .slice(0, PREVIEW_LINES)
    .map(line => (line.length > PREVIEW_CHARACTERS ? `${line.slice(0, PREVIEW_CHARACTERS)}…` : line))
    .join('\n');
}
