/** The part of the log that is drawn: what is in sight, and a little around it; on paper all of it. */
import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { isPrinting } from '../ui/printing.ts';
import type { LogStore } from './log_store.ts';

export const LOG_ROW_PX = 32;
const OVERSCAN = 12;
/** On paper, about a hundred sheets. */
const PRINTED_MAX = 3000;

export interface LogWindow {
  /** The element that scrolls. */
  readonly list: RefObject<HTMLDivElement | null>;
  readonly onScroll: () => void;
  readonly first: number;
  /** Behind the last. */
  readonly end: number;
  /** Of all rows, drawn or not. */
  readonly heightPx: number;
  /** Rows that a key for a page goes. */
  readonly pageRows: number;
}

/** Reads on where the end of what was read comes into sight, and keeps the selected row there. */
export function useLogWindow(store: LogStore, selected: number): LogWindow {
  const list = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const height = useSignal(800);
  const count = store.commits.value.length;
  const lastInSight = Math.ceil((top.value + height.value) / LOG_ROW_PX) + OVERSCAN;

  useEffect(() => {
    if (lastInSight >= count - OVERSCAN) void store.more();
  }, [lastInSight, count, store]);

  useEffect(() => {
    const element = list.current;
    if (element === null) return;
    const rowTop = selected * LOG_ROW_PX;
    if (rowTop < element.scrollTop) element.scrollTop = rowTop;
    const over = rowTop + LOG_ROW_PX - element.scrollTop - element.clientHeight;
    if (over > 0) element.scrollTop += over;
  }, [selected, store.wish.search, store.wish.scope]);

  const onScroll = () => {
    top.value = list.current?.scrollTop ?? 0;
    height.value = list.current?.clientHeight ?? 0;
  };
  const first = isPrinting.value ? 0 : Math.max(0, Math.floor(top.value / LOG_ROW_PX) - OVERSCAN);
  const end = Math.min(count, isPrinting.value ? PRINTED_MAX : lastInSight);
  const heightPx = (isPrinting.value ? end : count) * LOG_ROW_PX;
  const pageRows = Math.max(1, Math.floor(height.value / LOG_ROW_PX) - 1);
  return { list, onScroll, first, end, heightPx, pageRows };
}
