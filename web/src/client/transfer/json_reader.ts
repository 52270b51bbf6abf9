import { VarveError } from '../errors.ts';
import type { JsonValue } from '../types.ts';

export type JsonObject = { [key: string]: JsonValue };

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
    if (this.#isOver) return [];
    this.#rest = this.#rest.slice(this.#at) + piece;
    this.#at = 0;
    const objects: JsonObject[] = [];
    while (this.#enter() && this.#skipWhite()) {
      if (!this.#isLines && this.#rest[this.#at] === ']') {
        this.#isOver = true;
        return objects;
      }
      const end = objectEnd(this.#rest, this.#at);
      if (end < 0) break;
      objects.push(parse(this.#rest.slice(this.#at, end)));
      this.#at = end;
    }
    if (isLast && this.#rest.slice(this.#at).trim() !== '')
      throw new VarveError('unreadable', 'The JSON text ends early');
    return objects;
  }

  /** Past what comes before the first object. */
  #enter(): boolean {
    if (this.#isInside) return true;
    const start = /^\s*(\[|\{\s*"rows"\s*:\s*\[)/.exec(this.#rest);
    if (start === null) {
      if (this.#rest.length > 100) throw new VarveError('unreadable', 'JSON rows are an array, or {"rows": […]}');
      // `{}` is how Dolt writes no rows.
      if (/^\s*\{\s*\}\s*$/.test(this.#rest)) this.#at = this.#rest.length;
      return false;
    }
    this.#at = start[0].length;
    this.#isInside = true;
    return true;
  }

  #skipWhite(): boolean {
    while (this.#at < this.#rest.length && WHITE.test(this.#rest[this.#at] as string)) this.#at++;
    return this.#at < this.#rest.length;
  }
}

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

function parse(text: string): JsonObject {
  try {
    return JSON.parse(text) as JsonObject;
  } catch (error) {
    throw new VarveError('unreadable', `${error instanceof Error ? error.message : error} in ${text.slice(0, 100)}`);
  }
}
