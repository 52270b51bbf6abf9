/** The search in the rows of a grid, as its bar shows it: it looks on from frame to frame, and goes from place to place. */
import { type ReadonlySignal, type Signal, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { ResultGrid } from '../result_grid.ts';
import type { GridRows } from '../rows.ts';
import { Find } from './find.ts';

/** Of a frame; the rest of it is the page's. */
const STEP_MS = 8;

export interface FindSource {
  readonly rows: GridRows;
  /** Changes when rows came or are others. */
  readonly rowCount: ReadonlySignal<number>;
  readonly version: ReadonlySignal<number> | undefined;
  /** Another one when the rows are others, and none for a moment. */
  readonly grid: ReadonlySignal<ResultGrid | undefined>;
}

/** What was found so far. */
export interface FindProgress {
  readonly places: number;
  /** The place that was gone to; -1 for none. */
  readonly at: number;
  /** All rows that there are were looked through. */
  readonly isDone: boolean;
  /** There are more places than are kept. */
  readonly isClipped: boolean;
}

export interface Finding {
  /** Undefined while nothing is looked for. */
  readonly progress: ReadonlySignal<FindProgress | undefined>;
  /** Looks for another text, and goes to its first place. */
  readonly look: (text: string) => void;
  /** To the next place from where the person is, or the one before, and around at the end. */
  readonly go: (step: 1 | -1) => void;
}

/** @param text what is looked for; it is there before this, and stays behind it */
export function useFinding({ rows, rowCount, version, grid }: FindSource, text: Signal<string>): Finding {
  const find = useSignal<Find | undefined>(undefined);
  const progress = useSignal<FindProgress | undefined>(undefined);
  const knownVersion = useRef<number | undefined>(undefined);
  /** The first match is shown when it is found, except during an edit. */
  const wantsFirst = useRef(false);

  const begin = (isTyped: boolean) => {
    const sought = text.peek();
    const made = sought === '' ? undefined : new Find(rows, sought);
    wantsFirst.current = isTyped;
    find.value = made;
    progress.value = made && progressOf(made, -1);
  };
  const position = () => grid.peek()?.position ?? { row: 0, column: 0 };
  const goTo = (current: Find, index: number) => {
    const cell = current.found[index];
    progress.value = progressOf(current, cell === undefined ? -1 : index);
    if (cell !== undefined) grid.peek()?.show(cell);
  };
  /** A frame's part of the rows. */
  const lookOn = (current: Find) => {
    const untilMs = performance.now() + STEP_MS;
    current.step(() => performance.now() > untilMs);
    const first = wantsFirst.current ? current.indexFrom(position(), 1) : -1;
    if (wantsFirst.current && (first >= 0 || current.isDone)) {
      wantsFirst.current = false;
      goTo(current, Math.max(0, first));
    } else progress.value = progressOf(current, progress.peek()?.at ?? -1);
  };

  useEffect(() => () => grid.peek()?.highlight(undefined), []);
  useSignalEffect(() => grid.value?.highlight(find.value?.isAt));
  // Other columns of a result are other rows. At once, and with what was typed just before: later would take its first place away.
  useLayoutEffect(() => begin(wantsFirst.current), [rows]);
  // From the beginning when values were changed.
  useSignalEffect(() => {
    const now = version?.value;
    if (knownVersion.current !== now && find.peek() !== undefined) begin(false);
    knownVersion.current = now;
  });
  // On when rows came.
  useSignalEffect(() => {
    void rowCount.value;
    const current = find.value;
    if (current === undefined) return;
    let frame = requestAnimationFrame(function step() {
      // Something else is looked for by now.
      if (find.peek() !== current) return;
      lookOn(current);
      if (!current.isDone) frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  });

  return {
    progress,
    look: next => {
      text.value = next;
      begin(true);
    },
    go: step => {
      const current = find.peek();
      if (current !== undefined && current.found.length > 0) goTo(current, current.indexBeyond(position(), step));
    },
  };
}

function progressOf({ found, isDone, isClipped }: Find, at: number): FindProgress {
  return { places: found.length, at, isDone, isClipped };
}
