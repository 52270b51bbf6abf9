import { type Signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Database } from '../../lib/index.ts';
import { counted } from '../ui/figures.ts';
import { IconButton } from '../ui/icon_button.tsx';
import { Icon } from '../ui/icons.tsx';
import { KindMark } from '../ui/kind_mark.tsx';
import { MenuButton } from '../ui/menu.tsx';
import { messageOf } from '../ui/message_of.ts';
import { ResponsiveSplit } from '../ui/responsive_split.tsx';
import { Counts } from '../ui/row_counts.tsx';
import { type Range, RangeFields } from './RangeFields.tsx';
import { shortRef } from './selection.ts';
import { loadChanges, type TableChange } from './status.ts';

const SPECIAL = ['HEAD', 'HEAD~1', 'STAGED', 'WORKING'];

interface CompareProps {
  /** Its own session is on the branch. */
  readonly database: Database;
  readonly range: Signal<Range>;
  /** The table whose rows are shown; the first where it does not differ. */
  readonly chosen: Signal<string>;
  /** Names to choose from: branches and tags. */
  readonly refs: readonly string[];
  readonly onCopyLink: (range: Range) => void;
  /** All that differs as a script. */
  readonly onSaveScript: (range: Range) => void;
  /** The rows of a table that differ. */
  readonly onSaveRows: (range: Range, table: string) => void;
  /** Another number when the working set is another one. */
  readonly version: number;
  readonly isNarrow: boolean;
  readonly renderDiff: (from: string, to: string, change: TableChange) => JSX.Element;
}

type State =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly changes: readonly TableChange[] }
  | { readonly kind: 'failed'; readonly message: string };

/** What differs between any two commits. */
export function CompareView(props: CompareProps): JSX.Element {
  const { database, range, chosen, refs, onCopyLink, version, isNarrow, renderDiff } = props;
  const state = useSignal<State>({ kind: 'loading' });
  const { from, to } = range.value;
  const loaded = useRef<Range | undefined>(undefined);
  useEffect(() => {
    const abort = new AbortController();
    // The same two once more: what is shown stays until the answer is there.
    if (loaded.current !== range.peek()) state.value = { kind: 'loading' };
    loadChanges(database, [from, to], abort.signal, changes => {
      loaded.current = range.peek();
      state.value = { kind: 'ready', changes };
    }).catch((error: unknown) => {
      if (!abort.signal.aborted) state.value = { kind: 'failed', message: messageOf(error) };
    });
    return () => abort.abort();
  }, [database, from, to, version]);
  const changes = state.value.kind === 'ready' ? state.value.changes : [];
  const shown = changes.find(({ table }) => table === chosen.value) ?? changes[0];
  return (
    <div class="compare">
      <div class="compare-head">
        <RangeFields range={range.value} refs={[...refs, ...SPECIAL]} onChange={next => (range.value = next)} />
        <span class="muted figures" role="status">
          {state.value.kind === 'loading'
            ? 'Comparing…'
            : state.value.kind === 'ready'
              ? counted(changes.length, 'table')
              : ''}
        </span>
        <IconButton icon="link" label="Copy a link to the comparison" onPress={() => onCopyLink(range.value)} />
        {shown !== undefined && <SaveMenu {...props} shown={shown} />}
      </div>
      {state.value.kind === 'failed' ? (
        <div class="empty" role="alert">
          <Icon name="error" />
          <strong>These revisions cannot be compared</strong>
          <p>{state.value.message}</p>
        </div>
      ) : shown === undefined ? (
        <div class="empty">{state.value.kind === 'loading' ? <span class="spinner" /> : <NothingDiffers />}</div>
      ) : (
        <ResponsiveSplit
          name="compare"
          isNarrow={isNarrow}
          sized="first"
          wide={{ initialPx: 280, leastPx: 100, leavePx: 160 }}
          narrow={{ initialPx: 160, leastPx: 100, leavePx: 160 }}
          label="Size of the table list"
        >
          <TableList changes={changes} shown={shown} onSelect={table => (chosen.value = table)} />
          {renderDiff(from, to, shown)}
        </ResponsiveSplit>
      )}
    </div>
  );
}

/** What differs as a file. */
function SaveMenu(props: CompareProps & { readonly shown: TableChange }): JSX.Element {
  const { range, shown, onSaveScript, onSaveRows } = props;
  const { from, to } = range.value;
  return (
    <MenuButton
      class="button quiet small icon-only"
      label="Export diff"
      align="end"
      groups={[
        {
          heading: 'Save as a file',
          entries: [
            {
              label: `SQL patch: ${shortRef(from)} → ${shortRef(to)}`,
              icon: 'download',
              onSelect: () => onSaveScript(range.value),
            },
            {
              label: `CSV: changed rows of ${shown.table}`,
              icon: 'download',
              isDisabled: !shown.hasData,
              onSelect: () => onSaveRows(range.value, shown.table),
            },
          ],
        },
      ]}
    >
      <Icon name="download" />
    </MenuButton>
  );
}

interface ListProps {
  readonly changes: readonly TableChange[];
  readonly shown: TableChange;
  readonly onSelect: (table: string) => void;
}

function TableList({ changes, shown, onSelect }: ListProps): JSX.Element {
  return (
    <ul class="changes-scroll" aria-label="Changed tables">
      {changes.map(change => (
        <li key={change.table} class={change === shown ? 'change-line is-selected' : 'change-line'}>
          <button
            type="button"
            class="change-main"
            aria-current={change === shown}
            onClick={() => onSelect(change.table)}
          >
            <KindMark kind={change.kind} />
            <span class="change-name truncate" title={change.table}>
              {change.table}
            </span>
            {change.hasSchema && change.kind === 'modified' && <span class="badge">schema</span>}
            <Counts rows={change.rows} />
          </button>
        </li>
      ))}
    </ul>
  );
}

function NothingDiffers(): JSX.Element {
  return (
    <>
      <strong>No differences</strong>
      <p>Both are the same. From and To accept branches, tags and commits; WORKING is the uncommitted state.</p>
    </>
  );
}
