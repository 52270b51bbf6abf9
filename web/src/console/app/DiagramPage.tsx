/** The diagram view: tables of the selected branch, compared with a revision on request. */
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { DiagramView } from '../diagram/DiagramView.tsx';
import { loadRenames, loadSchema } from '../diagram/load.ts';
import { type Diagram, diagramOf, type Renames, type Schema } from '../diagram/model.ts';
import { counted } from '../ui/figures.ts';
import { IconButton } from '../ui/icon_button.tsx';
import { Icon } from '../ui/icons.tsx';
import { messageOf } from '../ui/message_of.ts';
import { Segments } from '../ui/segments.tsx';
import { RefField } from '../versions/RangeFields.tsx';
import { openTable } from './actions.ts';
import { atCommit, commitOf, isWorking, likelyRange } from './database/at_commit.ts';
import { boundDatabase } from './database/bound_database.ts';
import type { Connection } from './database/connection.ts';
import { useRefs } from './database/use_refs.ts';
import { view } from './layout_state.ts';

const COLUMNS = [
  { id: 'all', name: 'All columns' },
  { id: 'keys', name: 'Keys' },
] as const;
/** More tables are easier to look over without their other columns. */
const TABLES_WITH_COLUMNS = 40;

type State =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly diagram: Diagram }
  | { readonly kind: 'failed'; readonly message: string };

/** The tables of the selected branch and how they refer to one another, with what became of them since a commit. */
export function DiagramPage({ connection }: { readonly connection: Connection }): JSX.Element {
  const refs = useRefs(connection);
  const { catalog } = connection;
  const { database, branch } = catalog.place.value;
  const since = useSignal<string | undefined>(undefined);
  const wish = useSignal<'all' | 'keys' | undefined>(undefined);
  const from = since.value ?? likelySince(connection);
  const state = useDiagram(connection, from, branch === '' ? 'HEAD' : 'WORKING');
  const diagram = state.kind === 'ready' ? state.diagram : undefined;
  const columns = wish.value ?? ((diagram?.tables.length ?? 0) > TABLES_WITH_COLUMNS ? 'keys' : 'all');
  return (
    <section class="diagram-page" aria-label={`Diagram of ${database}`}>
      <div class="panel-head">
        <h2>Diagram</h2>
        <RefField
          label="Changes since"
          value={from}
          refs={[...refs, 'HEAD', 'HEAD~1']}
          onChange={next => (since.value = next)}
        />
        <span class="muted figures truncate roomy-only" role="status">
          {diagram !== undefined && factsOf(diagram)}
        </span>
        <span class="spread" />
        <Segments label="Columns" options={COLUMNS} chosen={columns} onChoose={id => (wish.value = id)} />
        <IconButton icon="close" label="Back to query" onPress={() => (view.value = 'query')} />
      </div>
      {state.kind === 'failed' ? (
        <div class="empty" role="alert">
          <Icon name="error" />
          <strong>The tables could not be read</strong>
          <p>{state.message}</p>
        </div>
      ) : diagram === undefined ? (
        <div class="empty">
          <span class="spinner" />
        </div>
      ) : diagram.tables.length === 0 ? (
        <div class="empty">
          <strong>No tables</strong>
          <p>Tables and their foreign keys appear here.</p>
        </div>
      ) : (
        <DiagramView
          diagram={diagram}
          isShort={columns === 'keys'}
          onOpen={table => openTable(catalog.place.peek(), table)}
        />
      )}
    </section>
  );
}

/** What is not committed, or what the branch has made since it parted from the one that it is likely to be merged into. */
function likelySince(connection: Connection): string {
  const { from, to } = likelyRange(connection);
  const { branch } = connection.catalog.place.value;
  if (to === 'WORKING') return from;
  return to === branch ? `${from}...` : 'HEAD';
}

/** Reads both sides, and again when the schema may be another one. What is shown stays until the answer is there. */
function useDiagram(connection: Connection, from: string, to: string): State {
  const state = useSignal<State>({ kind: 'loading' });
  const { database, branch } = connection.catalog.place.value;
  const version = connection.catalog.version.value;
  useEffect(() => {
    let isCurrent = true;
    const both = [atCommit(connection, to, loadSchema), atCommit(connection, from, loadSchema)] as const;
    const compared = Promise.all(both).then(async ([now, before]) =>
      diagramOf(now, before, await renamesBetween(connection, [from, to], now, before)),
    );
    compared.then(
      diagram => {
        const shown = state.peek();
        const isSame = shown.kind === 'ready' && JSON.stringify(shown.diagram) === JSON.stringify(diagram);
        if (isCurrent && !isSame) state.value = { kind: 'ready', diagram };
      },
      (error: unknown) => {
        const message = messageOf(error);
        if (isCurrent) state.value = { kind: 'failed', message };
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [connection, database, branch, version, from, to]);
  return state.value;
}

async function renamesBetween(
  connection: Connection,
  [from, to]: readonly [string, string],
  now: Schema,
  before: Schema,
): Promise<Renames | undefined> {
  if (isWorking(from)) return undefined;
  return loadRenames(await boundDatabase(connection), [await commitOf(connection, from), to], now, before);
}

function factsOf({ tables, keys }: Diagram): string {
  const there = tables.filter(({ change }) => change !== 'removed').length;
  const changed = tables.filter(({ change }) => change !== undefined).length;
  const links = keys.filter(({ change }) => change !== 'removed').length;
  const facts = `${counted(there, 'table')}, ${counted(links, 'foreign key')}`;
  return changed === 0 ? facts : `${facts}, ${changed} changed`;
}
