/** Whoever has only the keyboard would begin at the top of the page again where the focus is lost. */

function isLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/** Puts a focus that was lost where it was before, or into the view when that is gone or takes none. */
export function giveFocusBack(before: Element | null): void {
  if (!isLost()) return;
  if (before instanceof HTMLElement && before.isConnected) before.focus();
  if (isLost()) document.querySelector('main')?.focus();
}
