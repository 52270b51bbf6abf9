/** JSON reader: objects of a text that arrives in pieces. Pure. */
import { messageOf } from '../../../protocol/index.ts';
import { VarveError } from '../../errors.ts';
import type { JsonValue } from '../../types.ts';
import { WrittenNumber } from './json_text.ts';

/** Whole numbers that no double holds are bigints, at any depth; others of so many digits are text, and written numbers within documents. */
export type JsonObject = { [key: string]: JsonValue | bigint };

const WHITE = /[\s,]/;

/**
 * Reads the objects of JSON text piece by piece: one a line, an array of them, or Dolt's `{"rows": [{…},…]}`.
 *
 * @throws VarveError for text that is none of these.
 */
export class JsonReader {
  readonly #isLines: boolean;
  #rest = '';
  #at = 0;
  #isInside: boolean;
  /** Behind the end of the array. */
  #isOver = false;

  constructor(isLines: boolean) {
    this.#isLines = isLines;
    this.#isInside = isLines;
  }

  read(piece: string, isLast = false): JsonObject[] {
    this.#rest = this.#rest.slice(this.#at) + piece;
    this.#at = 0;
    if (this.#isOver) {
      this.#refuseMore();
      return [];
    }
    const objects: JsonObject[] = [];
    while (this.#enter() && this.#skipWhite()) {
      if (!this.#isLines && this.#rest[this.#at] === ']') {
        this.#isOver = true;
        this.#at++;
        return objects;
      }
      const end = objectEnd(this.#rest, this.#at);
      if (end < 0) break;
      objects.push(parse(this.#rest.slice(this.#at, end)));
      this.#at = end;
    }
    if (isLast && this.#rest.slice(this.#at).trim() !== '') throw this.#isInside ? endsEarly() : noArray();
    return objects;
  }

  /** Past what comes before the first object. */
  #enter(): boolean {
    if (this.#isInside) return true;
    const start = /^\s*(\[|\{\s*"rows"\s*:\s*\[)/.exec(this.#rest);
    if (start === null) {
      if (this.#rest.length > 100) throw noArray();
      // `{}` is how Dolt writes no rows.
      if (/^\s*\{\s*\}\s*$/.test(this.#rest)) this.#at = this.#rest.length;
      return false;
    }
    this.#at = start[0].length;
    this.#isInside = true;
    return true;
  }

  /** Behind the rows is at most what closes `{"rows": […]`. */
  #refuseMore(): void {
    const more = this.#rest.replace(/^\s*\}?\s*/, '');
    if (more !== '') throw new VarveError('unreadable', `Unexpected text after the JSON rows: ${more.slice(0, 20)}`);
    // What closed them is remembered for the pieces that follow.
    this.#rest = this.#rest.trim();
  }

  #skipWhite(): boolean {
    while (this.#at < this.#rest.length && WHITE.test(this.#rest[this.#at] as string)) this.#at++;
    return this.#at < this.#rest.length;
  }
}

const endsEarly = () => new VarveError('unreadable', 'The JSON text ends early');
const noArray = () =>
  new VarveError('unreadable', 'JSON rows are an array, or {"rows": […]}; one object after the other is JSON Lines');

/** The offset after the object at `start`; -1 when it is not complete. */
function objectEnd(text: string, start: number): number {
  if (text[start] !== '{')
    throw new VarveError('unreadable', `A row of JSON must be an object, not ${text.slice(start, start + 20)}`);
  let depth = 0;
  let isText = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (isText) {
      if (character === '\\') at++;
      else if (character === '"') isText = false;
    } else if (character === '"') isText = true;
    else if (character === '{' || character === '[') depth++;
    else if ((character === '}' || character === ']') && --depth === 0) return at + 1;
  }
  return -1;
}

/** A text, or a number: only the latter's digits count. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.]*(?:[eE][+-]?\d+)?/gs;
/** From here on a double may be another number than was written. */
const MANY_DIGITS = /\d[\d.]{15}/;
/** No text has a single surrogate: it marks a number while JSON.parse takes it for a text. */
const MARK = '\\ud800';
const MARKED = /^\ud800-?\d/;

function parse(text: string): JsonObject {
  try {
    if (!MANY_DIGITS.test(text)) return JSON.parse(text) as JsonObject;
    const marked = text.replace(TOKEN, token =>
      token.startsWith('"') || !MANY_DIGITS.test(token) ? token : `"${MARK}${token}"`,
    );
    const object = JSON.parse(marked, (_, value) => (MARKED.test(value) ? exactly(value.slice(1)) : value)) as Record<
      string,
      JsonValue | bigint | WrittenNumber
    >;
    for (const [name, value] of Object.entries(object)) {
      if (value instanceof WrittenNumber) object[name] = value.digits;
    }
    return object as JsonObject;
  } catch (error) {
    throw new VarveError('unreadable', `${messageOf(error)} in ${text.slice(0, 100)}`);
  }
}

function exactly(digits: string): bigint | number | WrittenNumber {
  if (/^-?\d+$/.test(digits)) return BigInt(digits);
  // A double that was written with all of its digits is itself.
  return String(Number(digits)) === digits ? Number(digits) : new WrittenNumber(digits);
}
