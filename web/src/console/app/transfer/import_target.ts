/** Where a file goes: into which database, and into which of its tables. */
import { type Signal, useSignal } from '@preact/signals';
import type { ColumnInfo } from '../../schema/model.ts';
import { tableNameOf } from '../../transfer/formats.ts';
import { currentConnection, openState } from '../database/connection.ts';
import { closeDialog } from '../dialogs.ts';
import { type NewDatabase, useNewDatabase } from '../open/NewDatabaseFields.tsx';
import { openNew } from '../open/opening.ts';
import { knownTables, useColumnsOf, useGeneratedOf } from './known_tables.ts';

export type Target = 'open' | 'new';

export interface ImportTarget {
  readonly target: Target;
  readonly aimAt: (target: Target) => void;
  /** The open database, where it can be written to. */
  readonly place: string | undefined;
  readonly made: NewDatabase;
  readonly table: Signal<string>;
  /** As the database calls it. */
  readonly tableName: string;
  /** Tables that rows could go into. */
  readonly tables: readonly string[];
  /** Of the one that they go into, where it is there. */
  readonly intoColumns: readonly ColumnInfo[];
  /** Those of them that the table computes. */
  readonly generated: ReadonlySet<string>;
  readonly isNewTable: boolean;
  /** Makes the database that the file goes into, if it is a new one; from then on it is the open one. Whether it is there. */
  readonly make: () => Promise<boolean>;
  /** Another file was chosen: default names follow it. */
  readonly follow: (fileName: string, before: string) => void;
  /** The default for a dump is a database of the name that it uses. */
  readonly nameDatabase: (name: string, fileName: string) => void;
}

export function useImportTarget(fileName: string): ImportTarget {
  const table = useSignal(tableNameOf(fileName));
  const made = useNewDatabase(fileName === '' ? '' : tableNameOf(fileName));
  const place = placeToImportInto();
  // Data of the user does not belong into the sample.
  const wanted = useSignal<Target>(currentConnection()?.isSample ? 'new' : 'open');
  const target = place === undefined ? 'new' : wanted.value;
  const known = target === 'new' ? [] : knownTables();
  const into = known.find(({ name }) => name.toLowerCase() === table.value.trim().toLowerCase());
  const intoColumns = useColumnsOf(into);
  const generated = useGeneratedOf(into);

  const make = async (): Promise<boolean> => {
    if (target !== 'new') return true;
    made.isTouched.value = true;
    if (made.problem !== undefined) return false;
    await openNew(made.name.value.trim(), made.place.value === 'browser', { isAsked: true });
    const opened = openState.peek();
    if (opened.kind !== 'open') closeDialog();
    wanted.value = 'open';
    return opened.kind === 'open';
  };
  const follow = (next: string, before: string) => {
    const isNameTyped = made.name.peek() !== '' && made.name.peek() !== tableNameOf(before);
    table.value = tableNameOf(next);
    if (!isNameTyped) made.name.value = tableNameOf(next);
  };
  const nameDatabase = (name: string, fileName: string) => {
    if (made.name.peek() === tableNameOf(fileName)) made.name.value = name;
  };
  return {
    ...{ target, place, made, table, intoColumns, generated, make, follow, nameDatabase },
    aimAt: next => {
      wanted.value = next;
    },
    tableName: into?.name ?? table.value.trim(),
    tables: known.map(({ name }) => name),
    isNewTable: into === undefined,
  };
}

/** The branch that is selected, where it can be written to. */
function placeToImportInto(): string | undefined {
  const connection = currentConnection();
  const place = connection?.catalog.place.value;
  if (connection === undefined || connection.database.storage.readOnly || !place?.branch) return undefined;
  return place.branch === 'main' ? place.database : `${place.database} (${place.branch})`;
}
