/** The whole value of one cell: text, JSON as a tree, bytes as hex or as the picture that they are. Loaded when it is first opened. */
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Column, Value } from '../../../lib/index.ts';
import { geometryText } from '../../sql/geometry.ts';
import { byteCount, wholeNumber } from '../../ui/figures.ts';
import { Segments } from '../../ui/segments.tsx';
import { lookOf } from '../cells.ts';
import { wordDiff } from '../diff/word_diff.ts';
import type { CellChange } from '../rows.ts';
import { HexView } from './HexView.tsx';
import { ImageView } from './ImageView.tsx';
import { imageType } from './image.ts';
import { JsonTree } from './JsonTree.tsx';
import { piecesOf } from './pieces.ts';

interface ViewerProps {
  readonly column: Column;
  readonly row: number;
  readonly value: Value;
  /** The value as MySQL's text protocol writes it. */
  readonly text: string | null;
  /** Both values of a cell that was changed. */
  readonly change: CellChange | undefined;
}

type Mode = 'changes' | 'text' | 'json' | 'image' | 'hex';

/** The form in which it is shown at first comes first. */
function modesOf(props: ViewerProps): readonly Mode[] {
  const { before, after } = props.change ?? { before: null, after: null };
  const isText = !(props.value instanceof Uint8Array) && before !== null && after !== null;
  return isText ? ['changes', ...valueModesOf(props)] : valueModesOf(props);
}

function valueModesOf({ column, value, text }: ViewerProps): readonly Mode[] {
  if (column.kind === 'geometry' && value instanceof Uint8Array && geometryText(value) !== undefined)
    return ['text', 'hex'];
  if (value instanceof Uint8Array && imageType(value) !== undefined) return ['image', 'hex'];
  if (value instanceof Uint8Array) return isReadable(value) ? ['hex', 'text'] : ['hex'];
  if (column.kind === 'json') return ['json', 'text'];
  return text !== null && /^\s*[[{]/.test(text) && parseJson(text) !== undefined ? ['text', 'json'] : ['text'];
}

function isReadable(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, 512);
  return start.every(byte => byte >= 0x20 || byte === 9 || byte === 10 || byte === 13);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function contentText({ column, value, text }: ViewerProps): string {
  const words = column.kind === 'geometry' && value instanceof Uint8Array ? geometryText(value) : undefined;
  return words ?? (value instanceof Uint8Array ? new TextDecoder().decode(value) : (text ?? ''));
}

const MODE_NAMES: Readonly<Record<Mode, string>> = {
  changes: 'Changes',
  text: 'Text',
  json: 'JSON',
  image: 'Image',
  hex: 'Hex',
};

export function ValueViewer(props: ViewerProps): JSX.Element {
  const { column, row, value, text } = props;
  const modes = useMemo(() => modesOf(props), [value, column, props.change?.before, props.change?.after]);
  const [wanted, setWanted] = useState<Mode | undefined>(undefined);
  const mode = wanted !== undefined && modes.includes(wanted) ? wanted : (modes[0] ?? 'text');
  const picture = mode === 'image' && value instanceof Uint8Array ? imageType(value) : undefined;
  return (
    <div class="viewer">
      <div class="viewer-facts">
        <span class="truncate" title={column.type}>
          {column.type}
        </span>
        <span class="muted">row {wholeNumber(row + 1)}</span>
        <span class="muted">{sizeOf(value, text)}</span>
        {modes.length > 1 && (
          <Segments
            label="View value as"
            options={modes.map(id => ({ id, name: MODE_NAMES[id] }))}
            chosen={mode}
            onChoose={setWanted}
          />
        )}
      </div>
      {text === null ? (
        <div class="viewer-null">NULL</div>
      ) : mode === 'changes' && props.change !== undefined ? (
        <Changes before={props.change.before ?? ''} after={props.change.after ?? ''} />
      ) : picture !== undefined && value instanceof Uint8Array ? (
        <ImageView bytes={value} type={picture} />
      ) : mode === 'hex' && value instanceof Uint8Array ? (
        <HexView bytes={value} />
      ) : mode === 'json' ? (
        <JsonTree value={value instanceof Uint8Array || column.kind !== 'json' ? parseJson(text) : value} />
      ) : (
        <LongText text={contentText(props)} look={lookOf(column)} />
      )}
    </div>
  );
}

const CHANGE_TAGS = { same: 'span', removed: 'del', added: 'ins' } as const;

/** What was taken away and what came, in their places. */
function Changes({ before, after }: { readonly before: string; readonly after: string }): JSX.Element {
  const parts = useMemo(() => wordDiff(before, after), [before, after]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled text must be reachable by keyboard.
    <pre class="viewer-text" tabIndex={0}>
      {parts.map(({ kind, text }, index) => {
        const Tag = CHANGE_TAGS[kind];
        return <Tag key={index}>{text}</Tag>;
      })}
    </pre>
  );
}

/** A million characters at once. */
const PIECES_STEP = 20;

/** Only the pieces that are on the screen are laid out. */
function LongText({ text, look }: { readonly text: string; readonly look: string }): JSX.Element {
  const [shown, setShown] = useState(PIECES_STEP);
  const pieces = useMemo(() => piecesOf(text), [text]);
  const rest = pieces.slice(shown).reduce((sum, { length }) => sum + length, 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled text must be reachable by keyboard.
    <pre class={`viewer-text ${look}`} tabIndex={0}>
      {pieces.slice(0, shown).map((piece, index) => (
        <div key={index} class="viewer-piece">
          {piece}
        </div>
      ))}
      {rest > 0 && (
        <button type="button" class="button small quiet" onClick={() => setShown(shown + PIECES_STEP)}>
          {wholeNumber(rest)} more characters
        </button>
      )}
    </pre>
  );
}

function sizeOf(value: Value, text: string | null): string {
  if (value instanceof Uint8Array) return byteCount(value.length);
  if (text === null) return '';
  return `${wholeNumber(text.length)} character${text.length === 1 ? '' : 's'}`;
}
