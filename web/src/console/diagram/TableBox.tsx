import type { JSX } from 'preact';
import { Icon } from '../ui/icons.tsx';
import type { Point } from './layout.ts';
import type { Change, DiagramColumn, DiagramTable } from './model.ts';

export const WIDTH_PX = 232;
export const HEAD_PX = 30;
const ROW_PX = 22;
/** Below the last row, and the lines around. */
const REST_PX = 6;

export function heightOf(columns: number): number {
  return HEAD_PX + columns * ROW_PX + (columns === 0 ? 0 : REST_PX);
}

/** Of the row of a column, from the top of the box. */
export function rowMiddle(row: number): number {
  return HEAD_PX + row * ROW_PX + ROW_PX / 2 + 2;
}

const MEANINGS: Readonly<Record<Change, string>> = { added: 'New', removed: 'Dropped', modified: 'Changed' };
const SIGNS: Readonly<Record<Change, string>> = { added: '+', removed: '−', modified: '~' };

interface BoxProps {
  readonly table: DiagramTable;
  readonly columns: readonly DiagramColumn[];
  readonly place: Point;
  /** It has nothing to do with what is looked at. */
  readonly isFar: boolean;
  readonly onNear: (isNear: boolean) => void;
  readonly onOpen: () => void;
}

/** A table: its name, which opens it, and its columns. */
export function TableBox({ table, columns, place, isFar, onNear, onOpen }: BoxProps): JSX.Element {
  const { name, change, nameBefore } = table;
  const meaning =
    change === undefined ? '' : nameBefore === undefined ? MEANINGS[change].toLowerCase() : `was ${nameBefore}`;
  return (
    <article
      class={`diagram-table ${change ?? ''} ${isFar ? 'is-far' : ''}`}
      aria-label={change === undefined ? name : `${name}, ${meaning}`}
      style={{
        left: `${place.x}px`,
        top: `${place.y}px`,
        width: `${WIDTH_PX}px`,
        height: `${heightOf(columns.length)}px`,
      }}
      onPointerEnter={event => event.pointerType === 'mouse' && onNear(true)}
      onPointerLeave={event => event.pointerType === 'mouse' && onNear(false)}
    >
      <button
        type="button"
        class="diagram-head"
        data-table={name}
        disabled={change === 'removed'}
        title={change === 'removed' ? `${name} was dropped` : `Show the rows of ${name}`}
        onClick={onOpen}
      >
        <Icon name="table" />
        <span class="truncate">{name}</span>
        {change !== undefined && (
          <span class={`diagram-mark truncate ${change}`} title={meaning}>
            {meaning}
          </span>
        )}
      </button>
      <ul>
        {columns.map(column => (
          <ColumnLine key={`${column.name} ${column.change}`} column={column} />
        ))}
      </ul>
    </article>
  );
}

function ColumnLine({ column }: { readonly column: DiagramColumn }): JSX.Element {
  const { name, type, typeBefore, nameBefore, change, isKey, isLink } = column;
  const before = [nameBefore, typeBefore].filter(one => one !== undefined).join(' ');
  const meaning =
    change !== undefined ? MEANINGS[change] : isKey ? 'Key' : isLink ? 'Refers to another table' : undefined;
  const title = before === '' ? `${name} ${type}` : `${name} ${type}, was ${before}`;
  return (
    <li class={change === undefined ? 'diagram-column' : `diagram-column ${change}`} title={title}>
      <span class="diagram-sign" {...(meaning !== undefined && { role: 'img', 'aria-label': meaning })}>
        {change === undefined ? isKey ? <Icon name="key" /> : isLink && <Icon name="link" /> : SIGNS[change]}
      </span>
      <span class={isKey ? 'diagram-name is-key truncate' : 'diagram-name truncate'}>
        {name}
        {nameBefore !== undefined && <span class="muted"> was {nameBefore}</span>}
      </span>
      <span class="diagram-type truncate">{type}</span>
    </li>
  );
}
