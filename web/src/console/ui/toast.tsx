import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from './icons.tsx';

interface Toast {
  readonly id: number;
  readonly text: string;
  /** A notice is of something that is not done yet. */
  readonly kind: 'done' | 'notice' | 'failure';
}

const SHOWN_MS = { done: 2500, notice: 4000, failure: 8000 };
const ICONS = { done: 'check', notice: 'warning', failure: 'error' } as const;
const toasts = signal<readonly Toast[]>([]);
const timers = new Map<number, number>();
let lastId = 0;

/** Says something for a few seconds, to the eye and to screen readers. */
export function toast(text: string, kind: Toast['kind'] = 'done'): void {
  lastId += 1;
  const id = lastId;
  // Said again, it is not there twice.
  const others = toasts.value.filter(shown => shown.text !== text);
  const next: Toast = { id, text, kind };
  toasts.value = [...others.slice(-2), next];
  goSoon(next);
}

function goSoon({ id, kind }: Toast): void {
  clearTimeout(timers.get(id));
  const timer = window.setTimeout(() => {
    timers.delete(id);
    toasts.value = toasts.value.filter(shown => shown.id !== id);
  }, SHOWN_MS[kind]);
  timers.set(id, timer);
}

/** It stays as long as the pointer is on it. */
function stay({ id }: Toast): void {
  clearTimeout(timers.get(id));
}

export function Toasts(): JSX.Element {
  const element = useRef<HTMLDivElement>(null);
  const shown = toasts.value;
  useEffect(() => {
    // Shown anew with each toast, so that it is over a dialog that was opened since.
    if (element.current?.matches(':popover-open')) element.current.hidePopover();
    if (shown.length > 0) element.current?.showPopover();
  }, [shown]);
  return (
    <div ref={element} class="toasts" popover="manual" role="status" aria-live="polite">
      {shown.map(one => (
        <div
          key={one.id}
          class={one.kind === 'failure' ? 'toast is-failure' : 'toast'}
          onPointerEnter={() => stay(one)}
          onPointerLeave={() => goSoon(one)}
        >
          <Icon name={ICONS[one.kind]} />
          <span>{one.text}</span>
        </div>
      ))}
    </div>
  );
}
