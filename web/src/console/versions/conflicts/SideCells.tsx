/** The cells of one side of a conflict. */
import type { JSX } from 'preact';
import type { Value } from '../../../lib/index.ts';
import { ValueCell } from '../ValueCell.tsx';
import type { BlockProps } from './ConflictBlock.tsx';
import { type CellState, cellState, sharedBeginning, takingOf, textFrom } from './conflict.ts';

/** About how wide a letter is, and what is beside the text of a cell. */
const CHARACTER_PX = 7.3;
const PADDING_PX = 17;

interface SideProps extends BlockProps {
  readonly side: 'base' | 'ours' | 'theirs';
}

/** The row as it was, or as a side has it. Values that a side has changed are taken by a press. */
export function SideCells(props: SideProps): JSX.Element {
  const { conflict, side, columns, widths } = props;
  if (conflict[side] === null) {
    return (
      <td class="conflict-cell gone" colSpan={columns.length}>
        {side === 'base' ? 'no row' : 'removed'}
      </td>
    );
  }
  return (
    <>
      {columns.map((column, index) => (
        <SideCell key={column} {...props} column={column} chars={((widths[index] ?? 0) - PADDING_PX) / CHARACTER_PX} />
      ))}
    </>
  );
}

interface CellProps extends SideProps {
  readonly column: string;
  /** That there is room for. */
  readonly chars: number;
}

function SideCell(props: CellProps): JSX.Element {
  const { conflict, side, column, chars, fields, textOf, canChoose, choice, onChoose } = props;
  const value = conflict[side]?.[column];
  const text = textFrom(textOf, column, value, hiddenBeginning(props, chars));
  const whole = textOf(column, value) ?? 'NULL';
  const mark = markOf(side, cellState(conflict, column));
  const taking =
    side !== 'base' && mark !== '' && canChoose ? takingOf(conflict, fields, choice, side, column) : undefined;
  if (taking === undefined) return <ValueCell text={text} whole={whole} class={`conflict-cell ${mark}`} />;
  return (
    <td class={`conflict-cell take ${mark} ${text === null ? 'null' : ''}`}>
      <button
        type="button"
        class="truncate"
        aria-pressed={taking.isTaken}
        title={`${whole}\n${taking.isTaken ? 'The result has this value' : 'Click to take this value'}`}
        onClick={() => onChoose(taking.choice)}
      >
        {text ?? 'NULL'}
      </button>
    </td>
  );
}

/** A side is marked where it changed the cell. */
function markOf(side: SideProps['side'], state: CellState): string {
  return side !== 'base' && (state === 'both' || state === side) ? `differs ${state}` : '';
}

/** A side is shown from where it leaves what was there; that, from where the first of the two does. */
function hiddenBeginning({ conflict: { base, ours, theirs }, side, column }: CellProps, chars: number): number {
  const [was, our, their] = [base?.[column], ours?.[column], theirs?.[column]];
  const from = (one: Value | undefined, other: Value | undefined) => sharedBeginning(one, other, chars);
  if (base === null) return from(our, their);
  if (side !== 'base') return from(side === 'ours' ? our : their, was);
  const starts = [ours === null ? 0 : from(our, was), theirs === null ? 0 : from(their, was)].filter(
    start => start > 0,
  );
  return starts.length === 0 ? 0 : Math.min(...starts);
}
