/** Which columns of a table are those of before under another name. Pure. */

export interface NamedColumn {
  readonly name: string;
  readonly type: string;
}

/**
 * How columns were called before. One that is new is another one renamed where that one, of the same type, is gone from the same place: a column keeps its
 * place when it is renamed.
 */
export function renames(is: readonly NamedColumn[], was: readonly NamedColumn[]): ReadonlyMap<string, string> {
  const has = (columns: readonly NamedColumn[], name: string) => columns.some(column => column.name === name);
  return new Map(
    is.flatMap(({ name, type }, index): [string, string][] => {
      if (has(was, name)) return [[name, name]];
      const there = was[index];
      return there !== undefined && there.type === type && !has(is, there.name) ? [[name, there.name]] : [];
    }),
  );
}
