/** What the first objects of JSON have, for which a table is made. */
import type { Param } from '../../types.ts';
import { mapped } from '../table/column_map.ts';
import { SAMPLE_ROWS } from '../table/new_table.ts';
import type { ImportRowsOptions } from '../transfer_types.ts';
import type { JsonObject } from './json_reader.ts';

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

/** All that the first objects have: what an object has more than those before it is where it has it. */
export function membersOf(objects: readonly JsonObject[], { columns }: ImportRowsOptions): readonly string[] {
  if (columns !== undefined) return columns;
  const found: string[] = [];
  const known = new Set<string>();
  for (const object of objects.slice(0, SAMPLE_ROWS)) {
    const names = Object.keys(object);
    for (const [at, name] of names.entries()) {
      if (known.has(name)) continue;
      known.add(name);
      const next = names.slice(at + 1).find(other => known.has(other));
      found.splice(next === undefined ? found.length : found.indexOf(next), 0, name);
    }
  }
  return found;
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
