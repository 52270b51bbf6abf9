/** What is shown where. */
import { computed, effect, signal } from '@preact/signals';
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

/** Below this the side panel lies over the page and panes stand one above the other. */
const NARROW = '(max-width: 760px)';

export const isNarrow = matched(NARROW);
/** Below this there is no room beside a grid. A page that is magnified is low as well: there is none below it, either. */
export const isUpright = matched('(max-width: 560px)');
/** Panes stand one above the other where two have no room side by side; in a low page they would have none that way. */
export const areStacked = matched('(max-width: 560px), (max-width: 760px) and (min-height: 560px)');

export const view = signal<View>('query');
export const sidePanel = signal<SidePanel>('schema');
export const isSideOpen = signal(readStored('side') !== 'closed');
/** On a narrow page the panel opens over everything, and is closed at first. */
export const isDrawerOpen = signal(false);
export const isViewerOpen = signal(readStored('viewer') === 'open');
/** Of the viewer: one value, or its whole row. */
export const viewerScope = signal<'value' | 'row'>(readStored('viewer-scope') === 'row' ? 'row' : 'value');

/** Of long lines in the editor; null is what a person has not chosen. */
const wrapping = signal(readStored('wrap'));
/** Where there is little room they are broken unless somebody wants them whole. */
export const isWrapped = computed(() => (wrapping.value === null ? isUpright.value : wrapping.value === 'on'));

export function toggleWrapping(): void {
  wrapping.value = isWrapped.peek() ? 'off' : 'on';
  writeStored('wrap', wrapping.value);
}

/** `branches` is the palette with nothing but branches in it. */
export type Overlay = 'open' | 'palette' | 'branches' | 'shortcuts' | undefined;
export const overlay = signal<Overlay>(undefined);

effect(() => writeStored('side', isSideOpen.value ? 'open' : 'closed'));
effect(() => writeStored('viewer', isViewerOpen.value ? 'open' : 'closed'));
effect(() => writeStored('viewer-scope', viewerScope.value));

export function toggleSide(): void {
  if (isNarrow.value) isDrawerOpen.value = !isDrawerOpen.value;
  else isSideOpen.value = !isSideOpen.value;
}
