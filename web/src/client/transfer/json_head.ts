/** What the first objects of JSON have, for which a table is made. */
import type { Param } from '../types.ts';
import { mapped } from './column_map.ts';
import type { JsonObject } from './json_reader.ts';
import { SAMPLE_ROWS } from './new_table.ts';
import type { ImportRowsOptions } from './transfer_types.ts';

/** The object with the columns of the table as its members: `map` of the options. */
export function withColumns(object: JsonObject, map: ImportRowsOptions['map']): JsonObject {
  if (map === undefined) return object;
  const found: JsonObject = {};
  for (const [member, value] of Object.entries(object)) {
    const name = mapped(map, member);
    if (name !== null) found[name] = value;
  }
  return found;
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
  return memberOf(object, name) ?? null;
}

/** `undefined` for one that is not there, which is NULL, while a document may be `null`. */
export function memberOf(object: JsonObject, name: string): Param {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
