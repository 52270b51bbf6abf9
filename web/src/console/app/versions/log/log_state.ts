/** Which commits the log lists, and which of them is shown. */
import { batch, signal } from '@preact/signals';
import type { LogScope } from '../../../graph/log.ts';
import { view } from '../../layout_state.ts';

export const logScope = signal<LogScope>('branch');
/** As it is being typed. */
export const logSearch = signal('');
export const soughtInLog = signal('');

interface Chosen {
  /** Empty for the newest one, until another is chosen. */
  readonly hash: string;
  /** The selection only passes this commit: by arrow keys, or as a default. */
  readonly isPassed: boolean;
}

export const NEWEST: Chosen = { hash: '', isPassed: false };
export const chosenCommit = signal(NEWEST);
/** One to go to, which may be far down in the log, or in another one. */
export const wantedCommit = signal('');

export function chooseCommit(hash: string, isPassed: boolean): void {
  chosenCommit.value = { hash, isPassed };
}

export function searchLog(text: string): void {
  logSearch.value = text;
  soughtInLog.value = text;
}

export function showCommit(hash: string): void {
  batch(() => {
    searchLog(hash);
    chooseCommit(hash, false);
    view.value = 'log';
  });
}
