/** Fields of CSV in which a backslash makes data of what follows it, as INTO OUTFILE of MySQL writes them. Pure. */

const QUOTE = 34;
const LF = 10;
const CR = 13;
const BACKSLASH = 92;

/** The escape character within a field: a backslash, or none where a quote is doubled (RFC 4180). */
export type CsvEscape = '' | '\\';

export const BACKSLASH_ESCAPE: CsvEscape = '\\';

export interface EscapedField {
  readonly value: string;
  /** The offset behind it, and behind its closing quote. */
  readonly end: number;
}

/** The characters before which a backslash goes: `\0` is a NUL. Before anything else it is data. */
function meantBy(code: number, separatorCode: number): string | undefined {
  if (code === 48) return '\0';
  const isEscaped = code === QUOTE || code === BACKSLASH || code === CR || code === LF || code === separatorCode;
  return isEscaped ? String.fromCharCode(code) : undefined;
}

/**
 * Reads a field from its first character, behind the quote of one that is quoted.
 *
 * @returns undefined where the text ends before the field does
 */
export function escapedField(
  text: string,
  start: number,
  separatorCode: number,
  isQuoted: boolean,
): EscapedField | undefined {
  let value = '';
  let at = start;
  let copied = start;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) {
      const meant = at + 1 < text.length ? meantBy(text.charCodeAt(at + 1), separatorCode) : undefined;
      if (meant !== undefined) {
        value += text.slice(copied, at) + meant;
        copied = at + 2;
      }
      at++;
    } else if (isQuoted && code === QUOTE) {
      if (text.charCodeAt(at + 1) !== QUOTE) return { value: value + text.slice(copied, at), end: at + 1 };
      value += text.slice(copied, ++at);
      copied = at + 1;
    } else if (!isQuoted && (code === separatorCode || code === CR || code === LF)) break;
  }
  const end = Math.min(at, text.length);
  return isQuoted ? undefined : { value: value + text.slice(copied, end), end };
}
