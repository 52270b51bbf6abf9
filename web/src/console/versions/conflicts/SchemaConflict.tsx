/** A schema conflict: both definitions, and how to resolve it. */
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Database } from '../../../lib/index.ts';
import { messageOf } from '../../ui/message_of.ts';
import { DefinitionDiff } from '../DefinitionDiff.tsx';

export interface Definitions {
  readonly ours: string;
  readonly theirs: string;
  readonly description: string;
}

/** Instead of a definition, where a side has dropped the table. */
const DROPPED = '<deleted>';

/** Whether one side has dropped the table: then neither can be taken. */
export function isDropped({ ours, theirs }: Definitions): boolean {
  return ours === DROPPED || theirs === DROPPED;
}

/** The definitions of a table that cannot both be; undefined until they are read. */
export function useDefinitions(database: Database, table: string, isOfSchema: boolean): Definitions | undefined {
  const found = useSignal<Definitions | undefined>(undefined);
  useEffect(() => {
    found.value = undefined;
    if (!isOfSchema) return;
    let isCurrent = true;
    const tell = (definitions: Definitions) => {
      if (isCurrent) found.value = definitions;
    };
    const columns = 'our_schema, their_schema, description';
    database.query(`SELECT ${columns} FROM dolt_schema_conflicts WHERE table_name = ?`, [table]).then(
      ({ rows: [row] }) => {
        const text = (name: string) => String(row?.[name] ?? '');
        tell({ ours: text('our_schema'), theirs: text('their_schema'), description: text('description') });
      },
      (error: unknown) => {
        tell({ ours: '', theirs: '', description: messageOf(error) });
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [database, table, isOfSchema]);
  return found.value;
}

interface ConflictProps {
  readonly definitions: Definitions | undefined;
  readonly table: string;
  /** What the sides are called. */
  readonly ours: string;
  readonly theirs: string;
}

/** Two definitions of a table that cannot both be: what theirs has and ours has not. */
export function SchemaConflict({ definitions, table, ours, theirs }: ConflictProps): JSX.Element {
  if (definitions === undefined) {
    return (
      <div class="empty">
        <span class="spinner" />
      </div>
    );
  }
  return (
    <div class="schema-conflict">
      <div class="note is-warning">
        {isDropped(definitions) ? (
          <DroppedNote {...{ definitions, table, ours, theirs }} />
        ) : (
          <>
            <strong>Both sides changed the definition: {definitions.description || 'these cannot be merged'}</strong>
            <p>
              Abort the merge, give both branches the same definition with ALTER TABLE, and merge again. Or take one
              side for the whole table if its rows need no merge.
            </p>
          </>
        )}
      </div>
      <p class="definition-sides">
        <span class="removed">− {ours}</span>
        <span class="added">+ {theirs}</span>
      </p>
      <DefinitionDiff before={shown(definitions.ours)} after={shown(definitions.theirs)} />
    </div>
  );
}

function shown(definition: string): string {
  return definition === DROPPED ? '' : definition;
}

interface NoteProps {
  readonly definitions: Definitions;
  readonly table: string;
  readonly ours: string;
  readonly theirs: string;
}

function DroppedNote({ definitions, table, ours, theirs }: NoteProps): JSX.Element {
  const [dropper, changer] = definitions.ours === DROPPED ? [ours, theirs] : [theirs, ours];
  return (
    <p>
      {dropper} has dropped this table and {changer} has changed it. A merge cannot resolve this. Abort the merge; then
      drop the table on {changer} as well, or restore it on {dropper} by{' '}
      <code>
        CALL dolt_checkout('{changer}', '{table}')
      </code>
      , commit that, and merge again.
    </p>
  );
}
