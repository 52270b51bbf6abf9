/** Whether a small letter and its capital are the same; all else is part of the pattern. */
export type LetterCase = 'matters' | 'ignored';

/** A group that took no part in a match. */
const NONE = -1;

/** The browser's regular expressions for the engine, which counts in bytes of UTF-8. */
export class Regexes {
  readonly #compiled: (RegExp | null)[] = [];

  /** @throws SyntaxError for a pattern that is none. */
  compile(pattern: string, letterCase: LetterCase): number {
    const compiled = new RegExp(pattern, letterCase === 'ignored' ? 'dgiu' : 'dgu');
    const free = this.#compiled.indexOf(null);
    if (free < 0) return this.#compiled.push(compiled) - 1;
    this.#compiled[free] = compiled;
    return free;
  }

  close(regex: number): void {
    this.#compiled[regex] = null;
  }

  /**
   * The first match that begins at byte `start` of `text` or behind it: start and end of the match and of each group, in
   * bytes; null when there is none.
   */
  find(regex: number, text: Uint8Array, start: number): Int32Array | null {
    const compiled = this.#compiled[regex];
    if (!compiled) throw new Error('the regular expression is closed');
    const subject = decoder.decode(text);
    const isAscii = subject.length === text.length;
    compiled.lastIndex = isAscii ? start : decoder.decode(text.subarray(0, start)).length;
    const match = compiled.exec(subject);
    if (match?.indices === undefined) return null;
    const places = new Int32Array(match.indices.length * 2);
    for (const [group, span] of match.indices.entries()) {
      const at = (index: number): number => (isAscii ? index : utf8Length(subject, index));
      // TypeScript says that there always is a span; a group that took no part has none.
      const found = span as readonly [number, number] | undefined;
      places[group * 2] = found === undefined ? NONE : at(found[0]);
      places[group * 2 + 1] = found === undefined ? NONE : at(found[1]);
    }
    return places;
  }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Bytes of UTF-8 that the first `end` UTF-16 units of `text` take; `end` is between characters. */
function utf8Length(text: string, end: number): number {
  let bytes = 0;
  for (let index = 0; index < end; index += 1) {
    const unit = text.charCodeAt(index);
    // Each half of a surrogate pair stands for two of its four bytes.
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff)) bytes += 2;
    else bytes += 3;
  }
  return bytes;
}
