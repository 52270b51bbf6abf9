/** JSON text that has numbers of more digits than those of JavaScript. Pure. */

/** A number within a document that is another one as a double: its digits are kept. */
export class WrittenNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }

  /** What anybody else makes of it. */
  toJSON(): number {
    return Number(this.digits);
  }
}

/** No text has a single surrogate: it marks digits, of which JSON.stringify would make a text. */
const MARKED = /"\\ud800([-+.\deE]+)"/g;

/** @param value of a JSON text, whose numbers may be bigints, or such numbers */
export function documentText(value: unknown): string {
  const text = JSON.stringify(value, function (this: Record<string, unknown>, name, member) {
    if (typeof member === 'bigint') return `\ud800${member}`;
    const written = this[name];
    return written instanceof WrittenNumber ? `\ud800${written.digits}` : member;
  });
  return text.replace(MARKED, '$1');
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
