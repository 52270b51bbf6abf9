/** Which columns of a table that is there the file's go into: by their names, until a person chooses. */
import { useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import type { ColumnInfo } from '../../schema/model.ts';
import { type ColumnMatch, matchByName, withMatch } from '../../transfer/column_match.ts';

export interface ColumnMatching {
  readonly match: ColumnMatch;
  /** Those of the table. What it computes makes itself, whatever the file has. */
  readonly columns: readonly ColumnInfo[];
  /** Names in the file that go nowhere. */
  readonly leftOut: readonly string[];
  /** Columns that get their default. */
  readonly unfilled: readonly ColumnInfo[];
  /** Nothing would come in, or no row could. */
  readonly problem: string | undefined;
  readonly choose: (name: string, column: string | null) => void;
}

/**
 * @param names of the file's columns; none before they were read
 * @param columns those of the table; none for one that is made
 * @param generated those of them that it computes
 */
export function useColumnMatching(
  names: readonly string[],
  columns: readonly ColumnInfo[],
  generated: ReadonlySet<string>,
): ColumnMatching {
  /** In the order of the choices. What was chosen for a file is kept when it was mended and is chosen again. */
  const chosen = useSignal<ReadonlyMap<string, string | null>>(NOTHING);
  const ofTable = columns.map(({ name }) => name);
  useLayoutEffect(() => {
    chosen.value = NOTHING;
  }, [ofTable.join('\n')]);
  let match = matchByName(names, ofTable);
  for (const [name, column] of chosen.value) {
    if (Object.hasOwn(match, name)) match = withMatch(match, name, column);
  }
  const filled = new Set(Object.values(match));
  const unfilled = columns.filter(({ name }) => !filled.has(name) && !generated.has(name));
  return {
    ...{ match, columns, unfilled },
    leftOut: names.filter(name => match[name] === null),
    problem: names.length === 0 || columns.length === 0 ? undefined : problemOf(filled, unfilled),
    choose: (name, column) => {
      const others = Array.from(chosen.peek()).filter(([other]) => other !== name);
      chosen.value = new Map([...others, [name, column]]);
    },
  };
}

const NOTHING: ReadonlyMap<string, string | null> = new Map();

function problemOf(filled: ReadonlySet<string | null>, unfilled: readonly ColumnInfo[]): string | undefined {
  if ([...filled].every(column => column === null)) {
    return 'No column of the file matches a column of the table by name. Choose the columns below.';
  }
  const missing = unfilled.find(({ isNullable, extra }) => !isNullable && extra === '');
  return missing && `${missing.name} has no default and no column of the file: choose one.`;
}
