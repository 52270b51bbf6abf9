/** One conflict: both sides, the choice, the result. */
import type { ComponentChildren, JSX } from 'preact';
import type { Conflict } from '../../../lib/index.ts';
import { wholeNumber } from '../../ui/figures.ts';
import { Segments } from '../../ui/segments.tsx';
import { type Choice, type Fields, firstProblem, startOfEdit, summaryOf, type TextOf } from './conflict.ts';
import { OutcomeCells } from './OutcomeCells.tsx';
import { SideCells } from './SideCells.tsx';

/** Of one conflict, with the gap below it: all are the same, so that only those on the screen are drawn. */
export const CONFLICT_PX = 176;

/** Of the column that names the sides. */
export const LABEL_PX = 64;

export interface BlockProps {
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
    else onChoose(kind === 'edited' ? editedFrom(props) : { kind });
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
          <Segments label="Row to keep" options={OPTIONS} chosen={choice?.kind ?? ''} onChoose={choose} />
        )}
      </div>
      <table class="conflict-table" aria-label="The row on both sides">
        <colgroup>
          <col style={{ width: `${LABEL_PX}px` }} />
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
          {rowsOf(sides).map(({ side, label, title }) => (
            <Line key={side} class={side} label={label} title={title}>
              <SideCells {...props} side={side} />
            </Line>
          ))}
          <Line class="result" label="Result" title="The row after resolving">
            <OutcomeCells {...props} />
          </Line>
        </tbody>
      </table>
    </article>
  );
}

/** An edit begins at what was chosen. */
function editedFrom({ conflict, fields, choice }: BlockProps): Choice {
  if (choice?.kind === 'edited') return choice;
  return { kind: 'edited', values: startOfEdit(conflict, fields, choice?.kind) };
}

/** `id 17`, or `order 3, line 2`. */
function keyText({ ours, theirs, base }: Conflict, keys: ReadonlySet<string>, textOf: TextOf): string {
  const row = ours ?? theirs ?? base ?? {};
  return [...keys].map(key => `${key} ${textOf(key, row[key]) ?? 'NULL'}`).join(', ');
}

type Side = 'base' | 'ours' | 'theirs';

interface LineName {
  readonly side: Side;
  readonly label: string;
  readonly title: string;
}

const rowsOf = (sides: BlockProps['sides']): readonly LineName[] => [
  { side: 'base', label: 'Base', title: 'Common ancestor' },
  { side: 'ours', label: 'Ours', title: sides.ours },
  { side: 'theirs', label: 'Theirs', title: sides.theirs },
];

interface LineProps {
  readonly class: string;
  readonly label: string;
  readonly title: string;
  readonly children: ComponentChildren;
}

function Line({ class: name, label, title, children }: LineProps): JSX.Element {
  return (
    <tr class={name}>
      <th class="conflict-label" scope="row" title={title}>
        {label}
      </th>
      {children}
    </tr>
  );
}
