import type { JSX } from 'preact';
import type { Conflict } from '../../../lib/index.ts';
import { ValueCell } from '../ValueCell.tsx';
import type { BlockProps } from './ConflictBlock.tsx';
import { type Field, problemWith, type TextOf } from './conflict.ts';

/** The row that was chosen, or fields in which one is made. */
export function OutcomeCells(props: BlockProps): JSX.Element {
  const { conflict, columns, textOf, choice, canChoose, onChoose } = props;
  if (choice?.kind === 'edited') {
    return (
      <>
        {columns.map(column => (
          <EditCell
            key={column}
            column={column}
            field={props.fields.get(column)}
            conflict={conflict}
            value={choice.values[column]}
            textOf={textOf}
            onChange={value => onChoose({ kind: 'edited', values: { ...choice.values, [column]: value } })}
          />
        ))}
      </>
    );
  }
  const row = choice === undefined ? null : conflict[choice.kind];
  if (row === null) {
    return (
      <td class="conflict-cell gone" colSpan={columns.length}>
        {choice !== undefined ? 'removed' : canChoose ? 'not chosen yet' : 'one side for the whole table'}
      </td>
    );
  }
  return (
    <>
      {columns.map(column => (
        <ValueCell key={column} text={textOf(column, row[column])} class="conflict-cell" />
      ))}
    </>
  );
}

interface EditProps {
  readonly column: string;
  readonly field: Field | undefined;
  readonly conflict: Conflict;
  /** Undefined for a value that cannot be typed. */
  readonly value: string | null | undefined;
  readonly textOf: TextOf;
  readonly onChange: (value: string | null) => void;
}

function EditCell({ column, field, conflict, value, textOf, onChange }: EditProps): JSX.Element {
  if (value === undefined) {
    const given = (conflict.ours ?? conflict.theirs)?.[column];
    return <ValueCell text={textOf(column, given)} class="conflict-cell" />;
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
