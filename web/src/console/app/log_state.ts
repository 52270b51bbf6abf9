/** Which commits the log lists. */
import { signal } from '@preact/signals';
import type { LogScope } from '../graph/log.ts';
import { view } from './layout_state.ts';

export const logScope = signal<LogScope>('branch');
export const logSearch = signal('');

export function showCommit(hash: string): void {
  logSearch.value = hash;
  view.value = 'log';
}
