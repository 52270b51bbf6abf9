import { useRef } from 'preact/hooks';
import type { LogStore } from './log_store.ts';

export interface Selecting {
  readonly store: LogStore;
  /** The place of the selected commit among those that were read. */
  readonly selected: number;
  /** @param isPassed the selection only passes this commit */
  readonly onSelect: (hash: string, isPassed: boolean) => void;
}

/** Goes through the commits by keys. */
export function useLogKeys(selecting: Selecting, pageRows: number): (event: KeyboardEvent) => void {
  const latest = useRef(selecting);
  latest.current = selecting;
  const { store, selected, onSelect } = selecting;

  /** The first commit of all may be far beyond those that were read: the selection goes there once it is. */
  const goToEnd = async (from: number) => {
    await store.readToEnd();
    const now = latest.current;
    if (now.store === store && now.selected === from) now.onSelect(store.commits.peek().at(-1)?.hash ?? '', true);
  };
  return event => {
    const step = stepOf(event.key, pageRows);
    if (step === undefined) return;
    event.preventDefault();
    const commits = store.commits.peek();
    const next = Math.max(0, Math.min(commits.length - 1, selected + step));
    onSelect(commits[next]?.hash ?? '', true);
    if (event.key === 'End') void goToEnd(next);
  };
}

/** How many rows further; undefined for keys that do something else. */
function stepOf(key: string, pageRows: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: pageRows,
    PageUp: -pageRows,
    Home: Number.NEGATIVE_INFINITY,
    End: Number.POSITIVE_INFINITY,
  };
  return steps[key];
}
