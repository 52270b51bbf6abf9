import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** Without this a keyboard user would start at the top of the page whenever the focus is lost. */

function isLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/** What has the focus; of the editor, which has a shadow root, the text within. */
export function focusedElement(): Element | null {
  const found = document.activeElement;
  return found?.shadowRoot?.activeElement ?? found;
}

/** The focus is lost: on nothing, or on an element that was removed. */
export function isFocusFree(): boolean {
  return isLost() || document.activeElement?.tagName === 'MAIN';
}

/** Puts a focus that was lost where it was before, or into the view when that is gone or takes none. */
export function giveFocusBack(before: Element | null): void {
  if (!isLost()) return;
  if (before instanceof HTMLElement && before.isConnected) before.focus();
  if (isLost()) document.querySelector('main')?.focus();
}

/** A part of the page that goes, and has the focus, leaves it to the view that comes instead. */
export function useFocusPassedOn(part: RefObject<HTMLElement | null>): void {
  useLayoutEffect(
    () => () => {
      if (part.current?.contains(document.activeElement)) queueMicrotask(() => giveFocusBack(null));
    },
    [],
  );
}
