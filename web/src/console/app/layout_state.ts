/** What is shown where. */
import { effect, signal } from '@preact/signals';
import { readStored, writeStored } from '../ui/stored.ts';

export type View = 'query' | 'changes' | 'log' | 'compare';
export type SidePanel = 'schema' | 'saved' | 'history';

/** Below this the side panel lies over the page and panes stand one above the other. */
const NARROW = '(max-width: 760px)';
const narrow = matchMedia(NARROW);

export const isNarrow = signal(narrow.matches);
narrow.addEventListener('change', event => {
  isNarrow.value = event.matches;
});

export const view = signal<View>('query');
export const sidePanel = signal<SidePanel>('schema');
export const isSideOpen = signal(readStored('side') !== 'closed');
/** On a narrow page the panel opens over everything, and is closed at first. */
export const isDrawerOpen = signal(false);
export const isViewerOpen = signal(readStored('viewer') === 'open');

export type Overlay = 'open' | 'palette' | 'shortcuts' | undefined;
export const overlay = signal<Overlay>(undefined);

effect(() => writeStored('side', isSideOpen.value ? 'open' : 'closed'));
effect(() => writeStored('viewer', isViewerOpen.value ? 'open' : 'closed'));

export function toggleSide(): void {
  if (isNarrow.value) isDrawerOpen.value = !isDrawerOpen.value;
  else isSideOpen.value = !isSideOpen.value;
}
