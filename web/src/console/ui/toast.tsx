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
let lastId = 0;

/** Says something for a few seconds, to the eye and to screen readers. */
export function toast(text: string, kind: Toast['kind'] = 'done'): void {
  lastId += 1;
  const id = lastId;
  // Said again, it is not there twice.
  const others = toasts.value.filter(shown => shown.text !== text);
  toasts.value = [...others.slice(-2), { id, text, kind }];
  setTimeout(() => {
    toasts.value = toasts.value.filter(shown => shown.id !== id);
  }, SHOWN_MS[kind]);
}

export function Toasts(): JSX.Element {
  const element = useRef<HTMLDivElement>(null);
  const shown = toasts.value;
  useEffect(() => {
    // Shown anew with each toast, so that it lies over a dialog that was opened since.
    if (element.current?.matches(':popover-open')) element.current.hidePopover();
    if (shown.length > 0) element.current?.showPopover();
  }, [shown]);
  return (
    <div ref={element} class="toasts" popover="manual" role="status" aria-live="polite">
      {shown.map(({ id, text, kind }) => (
        <div key={id} class={kind === 'failure' ? 'toast is-failure' : 'toast'}>
          <Icon name={ICONS[kind]} />
          <span>{text}</span>
        </div>
      ))}
    </div>
  );
}
