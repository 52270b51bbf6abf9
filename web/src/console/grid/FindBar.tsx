import type { ReadonlySignal } from '@preact/signals';
import { useSignal, useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { wholeNumber } from '../ui/figures.ts';
import { IconButton } from '../ui/icon_button.tsx';
import { Find } from './find.ts';
import type { ResultGrid } from './result_grid.ts';
import type { GridRows } from './rows.ts';
import type { Search } from './search.ts';

/** Of a frame; the rest of it is the page's. */
const STEP_MS = 8;

interface FindProps {
  readonly rows: GridRows;
  /** Changes when rows came or are others. */
  readonly rowCount: ReadonlySignal<number>;
  readonly version: ReadonlySignal<number> | undefined;
  readonly grid: () => ResultGrid | undefined;
  readonly search: Search;
  /** Looks for the text where the rows come from; absent where all of them are here. */
  readonly onAll: ((text: string) => void) | undefined;
}

/** Finds a text in the rows of a grid, all that were fetched: marks its places and goes from one to the next. */
export function FindBar({ rows, rowCount, version, grid, search, onAll }: FindProps): JSX.Element {
  const { text } = search;
  const find = useSignal<Find | undefined>(undefined);
  const count = useSignal(0);
  const isDone = useSignal(false);
  const at = useSignal(-1);
  const field = useRef<HTMLInputElement>(null);
  const known = useRef<number | undefined>(undefined);
  /** The first place is gone to when it is found; not while somebody edits. */
  const isFirstWanted = useRef(false);

  // At once: what is typed right after the key belongs into the field.
  useLayoutEffect(() => {
    if (!search.takeWish()) return;
    field.current?.focus();
    field.current?.select();
  }, [search.wishes.value]);
  useEffect(() => {
    if (text.peek() !== '') begin(text.peek(), false);
    return () => grid()?.highlight(undefined);
  }, []);

  const position = () => grid()?.position ?? { row: 0, column: 0 };
  const show = (index: number) => {
    const cell = find.peek()?.found[index];
    at.value = cell === undefined ? -1 : index;
    if (cell !== undefined) grid()?.show(cell);
  };
  const begin = (next: string, isTyped: boolean) => {
    text.value = next;
    isFirstWanted.current = isTyped;
    const made = next === '' ? undefined : new Find(rows, next);
    find.value = made;
    count.value = 0;
    isDone.value = false;
    at.value = -1;
    grid()?.highlight(made?.isAt);
  };

  // Looks on from frame to frame, and again when rows came; from the beginning when values were changed.
  useSignalEffect(() => {
    void rowCount.value;
    const now = version?.value;
    if (known.current !== now && find.peek() !== undefined) begin(text.peek(), false);
    known.current = now;
    const current = find.value;
    if (current === undefined) return;
    let frame = 0;
    const step = () => {
      // Something else is looked for by now.
      if (find.peek() !== current) return;
      const untilMs = performance.now() + STEP_MS;
      current.step(() => performance.now() > untilMs);
      count.value = current.found.length;
      isDone.value = current.isDone;
      if (isFirstWanted.current) {
        const index = current.indexFrom(position(), 1);
        if (index >= 0 || current.isDone) {
          isFirstWanted.current = false;
          show(Math.max(0, index));
        }
      }
      if (!current.isDone) frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  });

  /** To the place after the one where the person is, or before it, and around at the end. */
  const go = (step: 1 | -1) => {
    const current = find.peek();
    if (current === undefined || current.found.length === 0) return;
    const [here, places] = [position(), current.found.length];
    let index = current.indexFrom(here, step);
    const found = current.found[index];
    if (found?.row === here.row && found.column === here.column) index += step;
    if (index < 0 || index >= places) index = step === 1 ? 0 : places - 1;
    show(index);
  };
  const close = () => {
    search.close();
    grid()?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' || event.key === 'F3') go(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: there is no element of that kind in every browser.
    <div class="find-bar" role="search" aria-label="Find in the rows" onKeyDown={onKeyDown}>
      <input
        ref={field}
        class="field"
        placeholder="Find in the rows"
        aria-label="Find in the rows"
        spellcheck={false}
        autocomplete="off"
        value={text.value}
        onInput={event => begin(event.currentTarget.value, true)}
      />
      <span class="muted figures find-count" role="status">
        {find.value === undefined ? '' : placesOf(count.value, at.value, isDone.value, find.value.isClipped)}
      </span>
      <IconButton
        icon="chevronDown"
        label="Previous place"
        keys="Shift+Enter"
        isUp
        isDisabled={count.value === 0}
        onPress={() => go(-1)}
      />
      <IconButton
        icon="chevronDown"
        label="Next place"
        keys="Enter"
        isDisabled={count.value === 0}
        onPress={() => go(1)}
      />
      {onAll !== undefined && text.value.trim() !== '' && (
        <button
          type="button"
          class="button quiet small"
          title="Looks for it in all rows of the table, by a query"
          onClick={() => onAll(text.peek())}
        >
          In all rows
        </button>
      )}
      <IconButton icon="close" label="Close the search" keys="Escape" onPress={close} />
    </div>
  );
}

/** `3 of 17`. */
function placesOf(count: number, at: number, isDone: boolean, isClipped: boolean): string {
  if (count === 0) return isDone ? 'Not found' : '…';
  const all = `${wholeNumber(count)}${isClipped ? ' or more' : isDone ? '' : '…'}`;
  return at < 0 ? all : `${wholeNumber(at + 1)} of ${all}`;
}
