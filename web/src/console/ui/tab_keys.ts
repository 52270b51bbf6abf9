/** Arrow keys in a list of tabs: they move the focus and choose, as native tabs do. */
export function onTabKey(event: KeyboardEvent): void {
  const { currentTarget, key } = event;
  if (!(currentTarget instanceof HTMLElement)) return;
  const tabs = Array.from(currentTarget.querySelectorAll<HTMLElement>('[role="tab"]'));
  const at = document.activeElement instanceof HTMLElement ? tabs.indexOf(document.activeElement) : -1;
  if (at < 0) return;
  const next = {
    ArrowRight: (at + 1) % tabs.length,
    ArrowLeft: (at - 1 + tabs.length) % tabs.length,
    Home: 0,
    End: tabs.length - 1,
  }[key];
  if (next === undefined) return;
  event.preventDefault();
  tabs[next]?.focus();
  tabs[next]?.click();
}
