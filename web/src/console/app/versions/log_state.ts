/** Which commits the log lists. */
import { signal } from '@preact/signals';
import type { LogScope } from '../../graph/log.ts';
import { view } from '../layout_state.ts';

export const logScope = signal<LogScope>('branch');
/** As it is being typed. */
export const logSearch = signal('');
export const soughtInLog = signal('');

export function searchLog(text: string): void {
  logSearch.value = text;
  soughtInLog.value = text;
}

export function showCommit(hash: string): void {
  searchLog(hash);
  view.value = 'log';
}
