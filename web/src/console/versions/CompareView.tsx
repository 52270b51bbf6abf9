import { type Signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { Database } from '../../lib/index.ts';
import { counted } from '../ui/figures.ts';
import { Icon } from '../ui/icons.tsx';
import { ResponsiveSplit } from '../ui/responsive_split.tsx';
import { Counts, KindMark } from './ChangeGroup.tsx';
import { loadChanges, type TableChange } from './status.ts';

/** Two commits, branches, tags, `HEAD`, `STAGED` or `WORKING`. */
export interface Range {
  readonly from: string;
  readonly to: string;
}

interface CompareProps {
  /** Whose own session stands on the branch. */
  readonly database: Database;
  readonly range: Signal<Range>;
  /** Names to choose from: branches and tags. */
  readonly refs: readonly string[];
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
  const { database, range, refs, version, isNarrow, renderDiff } = props;
  const state = useSignal<State>({ kind: 'loading' });
  const chosen = useSignal('');
  const { from, to } = range.value;
  const loaded = useRef<Range | undefined>(undefined);
  useEffect(() => {
    let isCurrent = true;
    // The same two once more: what is shown stays until the answer is there.
    if (loaded.current !== range.peek()) state.value = { kind: 'loading' };
    loadChanges(database, from, to).then(
      changes => {
        if (!isCurrent) return;
        loaded.current = range.peek();
        state.value = { kind: 'ready', changes };
      },
      (error: unknown) => {
        if (isCurrent)
          state.value = { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [database, from, to, version]);
  const changes = state.value.kind === 'ready' ? state.value.changes : [];
  const shown = changes.find(({ table }) => table === chosen.value) ?? changes[0];
  return (
    <div class="compare">
      <div class="compare-head">
        <RefField label="From" value={from} refs={refs} onChange={next => (range.value = { from: next, to })} />
        <button
          type="button"
          class="button quiet small icon-only"
          aria-label="Swap the two sides"
          title="Swap the two sides"
          onClick={() => {
            range.value = { from: to, to: from };
          }}
        >
          <Icon name="compare" class="turned" />
        </button>
        <RefField label="To" value={to} refs={refs} onChange={next => (range.value = { from, to: next })} />
        <span class="muted figures" role="status">
          {state.value.kind === 'loading'
            ? 'Comparing…'
            : state.value.kind === 'ready'
              ? counted(changes.length, 'table')
              : ''}
        </span>
      </div>
      {state.value.kind === 'failed' ? (
        <div class="empty" role="alert">
          <Icon name="error" />
          <strong>These two cannot be compared</strong>
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
          label="Size of the list of tables"
        >
          <TableList changes={changes} shown={shown} onSelect={table => (chosen.value = table)} />
          {renderDiff(from, to, shown)}
        </ResponsiveSplit>
      )}
    </div>
  );
}

interface ListProps {
  readonly changes: readonly TableChange[];
  readonly shown: TableChange;
  readonly onSelect: (table: string) => void;
}

function TableList({ changes, shown, onSelect }: ListProps): JSX.Element {
  return (
    <ul class="changes-scroll" aria-label="Tables that differ">
      {changes.map(change => (
        <li key={change.table} class={change === shown ? 'change-line is-selected' : 'change-line'}>
          <button
            type="button"
            class="change-main"
            aria-current={change === shown}
            onClick={() => onSelect(change.table)}
          >
            <KindMark change={change} />
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

const SPECIAL = ['HEAD', 'HEAD~1', 'STAGED', 'WORKING'];

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly refs: readonly string[];
  readonly onChange: (value: string) => void;
}

/** Takes any ref; the known ones are offered. */
function RefField({ label, value, refs, onChange }: FieldProps): JSX.Element {
  const id = useId();
  // What is being typed outlives a new rendering, such as the one at the end of a comparison.
  const draft = useSignal<string | null>(null);
  return (
    <label class="ref-field">
      <span class="muted">{label}</span>
      <input
        class="field mono"
        list={id}
        value={draft.value ?? value}
        title={value}
        spellcheck={false}
        autocomplete="off"
        onFocus={event => event.currentTarget.select()}
        onInput={event => {
          draft.value = event.currentTarget.value;
        }}
        onChange={event => {
          const text = event.currentTarget.value.trim();
          draft.value = null;
          if (text !== '') onChange(text);
        }}
        onBlur={() => {
          draft.value = null;
        }}
      />
      <datalist id={id}>
        {[...refs, ...SPECIAL].map(name => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </label>
  );
}

function NothingDiffers(): JSX.Element {
  return (
    <>
      <strong>Nothing differs</strong>
      <p>The two hold the same. From and To take branches, tags and commits; WORKING is what is not committed yet.</p>
    </>
  );
}
