import type { JSX } from 'preact';
import type { Conflict, Row } from '../../lib/index.ts';
import { wholeNumber } from '../ui/figures.ts';
import { Segments } from '../ui/segments.tsx';
import {
  type CellState,
  type Choice,
  cellState,
  type Field,
  type Fields,
  firstProblem,
  problemWith,
  startOfEdit,
  summaryOf,
  type TextOf,
} from './conflict.ts';

/** Of one conflict, with the gap below it: all are the same, so that only those on the screen are drawn. */
export const CONFLICT_PX = 176;

interface BlockProps {
  readonly conflict: Conflict;
  readonly index: number;
  readonly columns: readonly string[];
  readonly fields: Fields;
  /** Of the table's primary key. */
  readonly keys: ReadonlySet<string>;
  readonly widths: readonly number[];
  readonly textOf: TextOf;
  /** What the sides are called. */
  readonly sides: { readonly ours: string; readonly theirs: string };
  readonly canChoose: boolean;
  readonly choice: Choice | undefined;
  readonly onChoose: (choice: Choice | undefined) => void;
  /** Goes to another conflict. */
  readonly onMove: (step: 1 | -1) => void;
}

const OPTIONS = [
  { id: 'ours', name: 'Ours' },
  { id: 'theirs', name: 'Theirs' },
  { id: 'edited', name: 'Edit' },
] as const;

/** A row that both sides changed: as it was, as each side has it, and as it will be. */
export function ConflictBlock(props: BlockProps): JSX.Element {
  const { conflict, index, columns, widths, textOf, sides, choice, onChoose, onMove } = props;
  const choose = (kind: Choice['kind']) => {
    if (choice?.kind === kind && kind !== 'edited') onChoose(undefined);
    else onChoose(kind === 'edited' ? { kind, values: startOfEdit(conflict, props.fields) } : { kind });
  };
  const wrong = choice?.kind === 'edited' ? firstProblem(choice.values, props.fields) : undefined;
  const onKeyDown = (event: KeyboardEvent) => {
    const isTyping = event.target instanceof HTMLInputElement;
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    const kind = ({ o: 'ours', t: 'theirs', e: 'edited' } as const)[event.key];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') onMove(event.key === 'ArrowDown' ? 1 : -1);
    else if (kind !== undefined && props.canChoose) choose(kind);
    else return;
    event.preventDefault();
  };
  return (
    <article
      class={choice === undefined ? 'conflict' : 'conflict is-chosen'}
      data-conflict={index}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrows go from conflict to conflict, letters choose.
      tabIndex={0}
      aria-label={`Conflict ${wholeNumber(index + 1)}: ${summaryOf(conflict)}`}
      onKeyDown={onKeyDown}
    >
      <div class="conflict-head">
        <span class="conflict-number figures">{wholeNumber(index + 1)}</span>
        <strong class="truncate">{keyText(conflict, props.keys, textOf)}</strong>
        {wrong === undefined ? (
          <span class="truncate muted">{summaryOf(conflict)}</span>
        ) : (
          <span class="truncate conflict-problem" role="alert" title={wrong}>
            {wrong}
          </span>
        )}
        <span class="spread" />
        {props.canChoose && (
          <Segments label="Which row to keep" options={OPTIONS} chosen={choice?.kind ?? ''} onChoose={choose} />
        )}
      </div>
      <table class="conflict-table" aria-label="The row on both sides">
        <colgroup>
          <col style={{ width: '64px' }} />
          {widths.map((width, column) => (
            <col key={column} style={{ width: `${width}px` }} />
          ))}
        </colgroup>
        <tbody>
          <tr class="names">
            <td class="conflict-label" />
            {columns.map(column => (
              <th key={column} class="conflict-cell truncate" scope="col" title={column}>
                {column}
              </th>
            ))}
          </tr>
          <Side
            label="Base"
            title="As it was before both"
            row={conflict.base}
            conflict={conflict}
            columns={columns}
            textOf={textOf}
            side={undefined}
          />
          <Side
            label="Ours"
            title={sides.ours}
            row={conflict.ours}
            conflict={conflict}
            columns={columns}
            textOf={textOf}
            side="ours"
          />
          <Side
            label="Theirs"
            title={sides.theirs}
            row={conflict.theirs}
            conflict={conflict}
            columns={columns}
            textOf={textOf}
            side="theirs"
          />
          <Outcome {...props} />
        </tbody>
      </table>
    </article>
  );
}

/** `id 17`, or `order 3, line 2`. */
function keyText({ ours, theirs, base }: Conflict, keys: ReadonlySet<string>, textOf: TextOf): string {
  const row = ours ?? theirs ?? base ?? {};
  return [...keys].map(key => `${key} ${textOf(key, row[key]) ?? 'NULL'}`).join(', ');
}

interface SideProps {
  readonly label: string;
  readonly title: string;
  readonly row: Row | null;
  readonly conflict: Conflict;
  readonly columns: readonly string[];
  readonly textOf: TextOf;
  readonly side: 'ours' | 'theirs' | undefined;
}

function Side({ label, title, row, conflict, columns, textOf, side }: SideProps): JSX.Element {
  return (
    <tr class={side ?? 'base'}>
      <th class="conflict-label" scope="row" title={title}>
        {label}
      </th>
      {row === null ? (
        <td class="conflict-cell gone" colSpan={columns.length}>
          {side === undefined ? 'not there' : 'removed'}
        </td>
      ) : (
        columns.map(column => (
          <Cell
            key={column}
            text={textOf(column, row[column])}
            state={side === undefined ? 'same' : stateFor(side, cellState(conflict, column))}
          />
        ))
      )}
    </tr>
  );
}

/** A side is marked where it changed the cell. */
function stateFor(side: 'ours' | 'theirs', state: CellState): CellState {
  return state === 'both' || state === side ? state : 'same';
}

function Cell({ text, state }: { readonly text: string | null; readonly state: CellState }): JSX.Element {
  return (
    <td
      class={`conflict-cell truncate ${state === 'same' ? '' : `differs ${state}`} ${text === null ? 'null' : ''}`}
      title={text ?? 'NULL'}
    >
      {text ?? 'NULL'}
    </td>
  );
}

function Outcome(props: BlockProps): JSX.Element {
  const { conflict, columns, textOf, choice, onChoose } = props;
  const label = (
    <th class="conflict-label" scope="row" title="What the row will be">
      Result
    </th>
  );
  if (choice?.kind === 'edited') {
    const change = (column: string, value: string | null) =>
      onChoose({ kind: 'edited', values: { ...choice.values, [column]: value } });
    return (
      <tr class="result">
        {label}
        {columns.map(column => (
          <EditCell
            key={column}
            column={column}
            field={props.fields.get(column)}
            conflict={conflict}
            value={choice.values[column]}
            textOf={textOf}
            onChange={value => change(column, value)}
          />
        ))}
      </tr>
    );
  }
  const row = choice === undefined ? undefined : conflict[choice.kind];
  return (
    <tr class="result">
      {label}
      {row === undefined || row === null ? (
        <td class="conflict-cell gone" colSpan={columns.length}>
          {row === null ? 'removed' : props.canChoose ? 'not chosen yet' : 'one side of the whole table'}
        </td>
      ) : (
        columns.map(column => <Cell key={column} text={textOf(column, row[column])} state="same" />)
      )}
    </tr>
  );
}

interface EditProps {
  readonly column: string;
  readonly field: Field | undefined;
  readonly conflict: Conflict;
  /** Undefined for a value that nobody types. */
  readonly value: string | null | undefined;
  readonly textOf: TextOf;
  readonly onChange: (value: string | null) => void;
}

function EditCell({ column, field, conflict, value, textOf, onChange }: EditProps): JSX.Element {
  if (value === undefined) {
    const given = (conflict.ours ?? conflict.theirs)?.[column];
    return <Cell text={textOf(column, given)} state="same" />;
  }
  const problem = problemWith(field, value);
  return (
    <td class="conflict-cell edit">
      <input
        class="edit-field"
        aria-label={`Value of ${column}`}
        aria-invalid={problem !== undefined}
        title={problem}
        placeholder={value === null ? 'NULL' : ''}
        value={value ?? ''}
        onInput={event => onChange(event.currentTarget.value)}
      />
      <button
        type="button"
        class="edit-null"
        aria-label={`${column} is NULL`}
        aria-pressed={value === null}
        title="NULL"
        onClick={() => onChange(value === null ? '' : null)}
      >
        ∅
      </button>
    </td>
  );
}
