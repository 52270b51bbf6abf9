import { type Signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Database } from '../../../lib/index.ts';
import { counted, wholeNumber } from '../../ui/figures.ts';
import { Icon } from '../../ui/icons.tsx';
import { MenuButton } from '../../ui/menu.tsx';
import type { TableTrouble } from '../status.ts';
import { wordsOf } from '../TroubleGroup.tsx';
import { CONFLICT_PX, ConflictBlock, LABEL_PX } from './ConflictBlock.tsx';
import type { ConflictStore } from './conflict_store.ts';
import { columnWidths } from './conflict_widths.ts';
import { isDropped, SchemaConflict, useDefinitions } from './SchemaConflict.tsx';
import { Violations } from './Violations.tsx';

export interface ConflictActions {
  /** Runs work on the database, says what goes wrong, and reads the working set again. */
  readonly onResolve: (work: () => Promise<void>) => Promise<void>;
  /** Takes one side for everything in the table. */
  readonly onTakeSide: (table: string, side: 'ours' | 'theirs') => void;
  /** Shows the rows that break a constraint. */
  readonly onShowViolations: (table: string) => void;
  /** Deletes the rows that break a constraint, or lets them be. */
  readonly onSettleViolations: (table: string, areDeleted: boolean) => void;
}

interface PaneProps {
  /** Its own session is on the branch. */
  readonly database: Database;
  readonly trouble: TableTrouble;
  readonly conflicts: ConflictStore;
  readonly ours: string;
  readonly theirs: string;
  readonly isBusy: boolean;
  readonly actions: ConflictActions;
}

/** What a merge left open in one table: row by row, or all of it at once. */
export function ConflictsPane(props: PaneProps): JSX.Element {
  const { trouble, isBusy, actions } = props;
  const { table, conflicts, isOfSchema } = trouble;
  const definitions = useDefinitions(props.database, table, isOfSchema);
  const isOneTaken = isOfSchema ? definitions !== undefined && !isDropped(definitions) : conflicts > 0;
  return (
    <section class="conflicts" aria-label={`Conflicts of ${table}`}>
      <div class="panel-head">
        <h2 class="truncate" title={table}>
          {table}
        </h2>
        <span class="muted figures truncate">{wordsOf(trouble)}</span>
        <span class="spread" />
        {isOneTaken && (
          <MenuButton
            class="button small"
            label="Take one side for the whole table"
            align="end"
            isDisabled={isBusy}
            groups={[
              {
                entries: [
                  {
                    label: 'Ours for the whole table',
                    hint: props.ours,
                    onSelect: () => actions.onTakeSide(table, 'ours'),
                  },
                  {
                    label: 'Theirs for the whole table',
                    hint: props.theirs,
                    onSelect: () => actions.onTakeSide(table, 'theirs'),
                  },
                ],
              },
            ]}
          >
            Whole table
            <Icon name="chevronDown" class="small" />
          </MenuButton>
        )}
      </div>
      {isOfSchema ? (
        <SchemaConflict definitions={definitions} table={table} ours={props.ours} theirs={props.theirs} />
      ) : conflicts > 0 ? (
        <Rows {...props} />
      ) : (
        <Violations {...props} />
      )}
    </section>
  );
}

const OVERSCAN = 3;
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

function Rows({ conflicts: store, trouble, ours, theirs, isBusy, actions }: PaneProps): JSX.Element {
  useEffect(() => void store.read(), [store, trouble.conflicts]);
  const conflicts = store.conflicts.value;
  const all = store.columns.value;
  const telling = store.tellingColumns.value;
  const isWhole = useSignal(false);
  const columns = isWhole.value ? all : telling;
  const textOf = store.textOf.value;
  const widths = useMemo(() => columnWidths(columns, conflicts, textOf), [columns, conflicts, textOf]);
  const top = useSignal(0);
  const height = useSignal(600);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    height.value = list.current?.clientHeight ?? 600;
  }, [conflicts.length]);

  if (store.error.value !== undefined) {
    return (
      <div class="empty" role="alert">
        <Icon name="error" />
        <strong>The conflicts could not be read</strong>
        <p>{store.error.value}</p>
      </div>
    );
  }
  if (conflicts.length === 0) {
    return (
      <div class="empty">{store.isLoading.value ? <span class="spinner" /> : <p>No rows are in conflict.</p>}</div>
    );
  }
  const isKeyless = store.keys.value.size === 0;
  const first = Math.max(0, Math.floor(top.value / CONFLICT_PX) - OVERSCAN);
  const end = Math.min(conflicts.length, Math.ceil((top.value + height.value) / CONFLICT_PX) + OVERSCAN);
  const focusBlock = (index: number) => {
    const element = list.current;
    if (element === null || index < 0 || index >= conflicts.length) return;
    const blockTop = index * CONFLICT_PX;
    if (blockTop < element.scrollTop || blockTop + CONFLICT_PX > element.scrollTop + element.clientHeight) {
      element.scrollTop = Math.max(0, blockTop - (element.clientHeight - CONFLICT_PX) / 2);
    }
    requestAnimationFrame(() =>
      element.querySelector<HTMLElement>(`[data-conflict="${index}"]`)?.focus({ preventScroll: true }),
    );
  };
  return (
    <>
      <div
        ref={list}
        class="conflict-list"
        onScroll={event => {
          top.value = event.currentTarget.scrollTop;
          height.value = event.currentTarget.clientHeight;
        }}
      >
        <div
          class="conflict-rows"
          style={{
            '--table': `${LABEL_PX + sum(widths)}px`,
            height: `${conflicts.length * CONFLICT_PX}px`,
            paddingTop: `${first * CONFLICT_PX}px`,
          }}
        >
          {conflicts.slice(first, end).map((conflict, offset) => (
            <ConflictBlock
              key={conflict.id}
              conflict={conflict}
              index={first + offset}
              columns={columns}
              fields={store.fields.value}
              keys={store.keys.value}
              widths={widths}
              textOf={textOf}
              sides={{ ours, theirs }}
              canChoose={!isKeyless}
              choice={store.choices.value.get(conflict.id)}
              onChoose={choice => store.choose(conflict.id, choice)}
              onMove={step => focusBlock(first + offset + step)}
            />
          ))}
        </div>
      </div>
      {isKeyless ? (
        <p class="resolve-bar">
          The table has no key, so single rows cannot be identified. Take one side for the whole table.
        </p>
      ) : (
        <ResolveBar
          store={store}
          isBusy={isBusy}
          total={trouble.conflicts}
          isWhole={isWhole}
          onResolve={() => actions.onResolve(() => store.resolve())}
        />
      )}
    </>
  );
}

interface BarProps {
  readonly store: ConflictStore;
  readonly isBusy: boolean;
  readonly total: number;
  /** All columns are shown, also those that say nothing. */
  readonly isWhole: Signal<boolean>;
  readonly onResolve: () => Promise<void>;
}

function ResolveBar({ store, isBusy, total, isWhole, onResolve }: BarProps): JSX.Element {
  const chosen = store.choices.value.size;
  const left = store.conflicts.value.length - chosen;
  const [all, telling] = [store.columns.value.length, store.tellingColumns.value.length];
  return (
    <div class="resolve-bar">
      <span class="figures" role="status">
        {wholeNumber(chosen)} of {wholeNumber(total)} chosen
        {store.isClipped.value && ` (the first ${wholeNumber(store.conflicts.value.length)} are shown)`}
      </span>
      {telling < all && (
        <button
          type="button"
          class="button small quiet"
          aria-pressed={!isWhole.value}
          onClick={() => {
            isWhole.value = !isWhole.value;
          }}
        >
          {isWhole.value ? `All ${all} columns` : `${telling} of ${all} columns`}
        </button>
      )}
      <span class="resolve-buttons">
        <button
          type="button"
          class="button small"
          disabled={left === 0 || isBusy}
          onClick={() => store.chooseRest('ours')}
        >
          Ours for the rest
        </button>
        <button
          type="button"
          class="button small"
          disabled={left === 0 || isBusy}
          onClick={() => store.chooseRest('theirs')}
        >
          Theirs for the rest
        </button>
        <button
          type="button"
          class="button small primary"
          disabled={chosen === 0 || isBusy}
          onClick={() => void onResolve()}
        >
          {isBusy && <span class="spinner" />}
          {chosen === 0 ? 'Resolve' : `Resolve ${counted(chosen, 'row')}`}
        </button>
      </span>
    </div>
  );
}
