import { signal } from '@preact/signals';
import type { SqlEditor } from '../../editor/editor.ts';
import type { ResultGrid } from '../../grid/result_grid.ts';

/** The editor and the grid that are on the screen, for commands that act on them. */
export const editor = signal<SqlEditor | undefined>(undefined);
export const grid = signal<ResultGrid | undefined>(undefined);
export const cursor = signal({ line: 1, column: 1 });
