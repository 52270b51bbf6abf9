import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Database } from '../../lib/index.ts';
import { DefinitionDiff } from './DefinitionDiff.tsx';

interface Definitions {
  readonly ours: string;
  readonly theirs: string;
  readonly description: string;
}

interface ConflictProps {
  readonly database: Database;
  readonly table: string;
}

/** Two definitions of a table that cannot both be: what theirs has and ours has not. */
export function SchemaConflict({ database, table }: ConflictProps): JSX.Element {
  const found = useSignal<Definitions | undefined>(undefined);
  useEffect(() => {
    const columns = 'our_schema, their_schema, description';
    database.query(`SELECT ${columns} FROM dolt_schema_conflicts WHERE table_name = ?`, [table]).then(
      ({ rows: [row] }) => {
        const text = (name: string) => String(row?.[name] ?? '');
        found.value = { ours: text('our_schema'), theirs: text('their_schema'), description: text('description') };
      },
      (error: unknown) => {
        found.value = { ours: '', theirs: '', description: error instanceof Error ? error.message : String(error) };
      },
    );
  }, [database, table]);
  const shown = found.value;
  if (shown === undefined) {
    return (
      <div class="empty">
        <span class="spinner" />
      </div>
    );
  }
  return (
    <div class="schema-conflict">
      <div class="note is-warning">
        <p>
          Both sides changed the definition: {shown.description || 'they cannot both be'}. Abort the merge, give both
          sides one definition with ALTER TABLE, and merge again; or take one side for the whole table, which works
          while no rows are to be merged. Lines marked − are ours, lines marked + are theirs.
        </p>
      </div>
      <DefinitionDiff before={shown.ours} after={shown.theirs} />
    </div>
  );
}
