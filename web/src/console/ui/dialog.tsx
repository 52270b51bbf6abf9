import type { ComponentChildren, JSX } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { focusedElement, giveFocusBack } from './focus.ts';
import { Icon } from './icons.tsx';

interface DialogProps {
  readonly title: string;
  /** Only its own buttons close it: what it does would be broken off by a key or a press beside it. */
  readonly isHeld?: boolean;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A modal dialog. The native element keeps the focus inside and closes on Escape. */
export function Dialog({ title, isHeld = false, onClose, children }: DialogProps): JSX.Element {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const isOver = useRef(false);
  // It may stay for what is asked next.
  isOver.current = false;
  // The browser tells that it has closed a moment after Escape: a shortcut that is pressed at once would still find it open.
  const close = () => {
    if (isOver.current) return;
    isOver.current = true;
    onClose();
  };
  useLayoutEffect(() => {
    const before = focusedElement();
    element.current?.showModal();
    // One that is taken away without being closed, as after it did its work, takes the focus with it.
    return () => queueMicrotask(() => giveFocusBack(before));
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the press on the backdrop has Escape as its key.
    <dialog
      ref={element}
      class="dialog"
      aria-labelledby={heading}
      onClose={close}
      onCancel={event => (isHeld ? event.preventDefault() : close())}
      onClick={event => event.target === element.current && !isHeld && element.current?.close()}
    >
      <div class="dialog-head">
        <h2 id={heading}>{title}</h2>
      </div>
      <div class="dialog-body">{children}</div>
      {/* Last, so that the focus begins at what the dialog is about. */}
      <button
        type="button"
        class="button quiet icon-only dialog-close"
        aria-label="Close"
        onClick={() => element.current?.close()}
      >
        <Icon name="close" />
      </button>
    </dialog>
  );
}
