import { signal } from '@preact/signals';
import type { SqlEditor } from '../../editor/editor.ts';
import type { ResultGrid } from '../../grid/result_grid.ts';
import { isFocusFree } from '../../ui/focus.ts';

/** The editor and the grid that are on the screen, for commands that act on them. */
export const editor = signal<SqlEditor | undefined>(undefined);
export const grid = signal<ResultGrid | undefined>(undefined);
export const cursor = signal({ line: 1, column: 1 });

/** The editor gets the focus in the query view, unless it is elsewhere. Not on touch screens, where a keyboard would cover half of the page. */
export function beginToType(): void {
  if (isFocusFree() && !matchMedia('(pointer: coarse)').matches) editor.peek()?.focus();
}
