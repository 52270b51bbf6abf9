/** What is shown where. */
import { computed, effect, signal } from '@preact/signals';
import { giveFocusBack } from '../ui/focus.ts';
import { matched } from '../ui/media.ts';
import { readStored, writeStored } from '../ui/stored.ts';

export type View = 'query' | 'changes' | 'log' | 'compare' | 'diagram';
export const VIEW_NAMES: Readonly<Record<View, string>> = {
  query: 'Query',
  changes: 'Changes',
  log: 'Commits',
  compare: 'Compare',
  diagram: 'Diagram',
};
export type SidePanel = 'schema' | 'saved' | 'history';

/** Below this the side panel is over the page and panes stand one above the other. */
const NARROW = '(max-width: 760px)';

export const isNarrow = matched(NARROW);
/** Below this there is no room beside a grid. A page that is magnified is low as well: there is none below it, either. */
export const isUpright = matched('(max-width: 560px)');
/** Where two panes have no room side by side; in a low page they would have none one above the other. */
const isTight = matched('(max-width: 560px), (max-width: 760px) and (min-height: 560px)');
/** The same beside the side panel. */
const isTightBesideSide = matched('(min-width: 760.02px) and (max-width: 940px) and (min-height: 560px)');

export const view = signal<View>('query');
export const sidePanel = signal<SidePanel>('schema');
export const isSideOpen = signal(readStored('side') !== 'closed');
/** Panes stand one above the other. */
export const areStacked = computed(() => isTight.value || (isTightBesideSide.value && isSideOpen.value));
/** On a narrow page the panel opens over everything, and is closed at first. */
export const isDrawerOpen = signal(false);
/** Beside the rows of a query, and beside those of a comparison, which is read as it is by most; each stays as it was left. */
const viewers = {
  rows: signal(wasViewerOpen('viewer')),
  comparison: signal(wasViewerOpen('comparison-viewer')),
};
const viewerHere = () => (view.value === 'query' ? viewers.rows : viewers.comparison);
export const isViewerOpen = computed(() => viewerHere().value);

export function showViewer(isShown = true): void {
  viewerHere().value = isShown;
}

/** Hidden by default where it takes half of the page. */
function wasViewerOpen(key: string): boolean {
  return !isUpright.peek() && readStored(key) === 'open';
}

/** Of the viewer: one value, or its whole row. */
export const viewerScope = signal<'value' | 'row'>(readStored('viewer-scope') === 'row' ? 'row' : 'value');

/** Of long lines in the editor; null is what a person has not chosen. */
const wrapping = signal(readStored('wrap'));
/** Wrapped by default where there is little room. */
export const isWrapped = computed(() => (wrapping.value === null ? isUpright.value : wrapping.value === 'on'));

export function toggleWrapping(): void {
  wrapping.value = isWrapped.peek() ? 'off' : 'on';
  writeStored('wrap', wrapping.value);
}

/** `branches` is the palette with nothing but branches in it. */
export type Overlay = 'open' | 'palette' | 'branches' | 'shortcuts' | undefined;
export const overlay = signal<Overlay>(undefined);

effect(() => writeStored('side', isSideOpen.value ? 'open' : 'closed'));
effect(() => writeStored('viewer', viewers.rows.value ? 'open' : 'closed'));
effect(() => writeStored('comparison-viewer', viewers.comparison.value ? 'open' : 'closed'));
effect(() => writeStored('viewer-scope', viewerScope.value));

export function toggleSide(): void {
  if (isNarrow.value) isDrawerOpen.value = !isDrawerOpen.value;
  else isSideOpen.value = !isSideOpen.value;
  // A focus in the panel moves to the view.
  requestAnimationFrame(() => giveFocusBack(null));
}

/** Whether it is in sight. */
function isShown(panel: SidePanel): boolean {
  return sidePanel.peek() === panel && (isNarrow.peek() ? isDrawerOpen : isSideOpen).peek();
}

/** Shows a part of the side panel; @param instead what is shown where it is in sight already */
export function showSide(panel: SidePanel, instead = panel): void {
  sidePanel.value = isShown(panel) ? instead : panel;
  (isNarrow.peek() ? isDrawerOpen : isSideOpen).value = true;
}

/** Its field for the first letters, from which Tab leads into what is listed below. */
export function focusSide(): void {
  showSide(sidePanel.peek());
  // A panel that was closed is there with the next frame.
  requestAnimationFrame(() => document.querySelector<HTMLElement>('.sidebar-filter input')?.focus());
}
