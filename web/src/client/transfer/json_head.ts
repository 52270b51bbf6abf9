import type { Param } from '../types.ts';
import { type JsonObject, JsonReader } from './json_reader.ts';
import { SAMPLE_ROWS } from './new_table.ts';
import type { ImportRowsOptions } from './transfer_types.ts';

/** How a text of objects begins: the names of their members, and rows that say what a new table is to be. */
export class JsonHead {
  readonly titles = 0;
  readonly #options: ImportRowsOptions;
  readonly #reader: JsonReader;
  readonly #objects: JsonObject[] = [];

  constructor(options: ImportRowsOptions) {
    this.#options = options;
    this.#reader = new JsonReader(options.format === 'jsonl');
  }

  get columns(): readonly string[] {
    return membersOf(this.#objects, this.#options);
  }

  /** Of the first rows, one after the other. */
  get values(): readonly Param[] {
    return valuesOf(this.#objects, this.columns);
  }

  /** Takes more of the text, and tells whether that was enough. */
  take(text: string, isLast: boolean): boolean {
    for (const object of this.#reader.read(text, isLast)) this.#objects.push(object);
    return this.#objects.length >= SAMPLE_ROWS;
  }
}

/** All that the first objects have, in the order in which they come: an object may leave some out. */
export function membersOf(objects: readonly JsonObject[], { columns }: ImportRowsOptions): readonly string[] {
  return columns ?? [...new Set(objects.slice(0, SAMPLE_ROWS).flatMap(Object.keys))];
}

export function valuesOf(objects: readonly JsonObject[], columns: readonly string[]): readonly Param[] {
  return objects.slice(0, SAMPLE_ROWS).flatMap(object => columns.map(name => paramOf(object, name)));
}

/** Objects and arrays become JSON text when they are bound. */
export function paramOf(object: JsonObject, name: string): Param {
  return object[name] ?? null;
}
