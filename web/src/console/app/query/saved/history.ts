/** The statement history, kept in the browser. */
import { signal } from '@preact/signals';
import { readStoredJson, writeStoredJson } from '../../../ui/stored.ts';

export interface HistoryEntry {
  readonly sql: string;
  readonly database: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly totalMs: number;
  readonly rowCount: number;
  readonly outcome: 'done' | 'failed' | 'cancelled';
}

const KEY = 'history';
const ENTRIES_MAX = 300;
/** Of a script of many statements not each is stored by itself. */
const STORE_AFTER_MS = 400;
/** A pasted dump is not worth remembering whole. */
const SQL_CHARS_MAX = 10_000;

function isHistory(value: unknown): value is HistoryEntry[] {
  return Array.isArray(value) && value.every(entry => typeof entry?.sql === 'string' && typeof entry.at === 'number');
}

/** Statements that ran, newest first. */
export const history = signal<readonly HistoryEntry[]>(readStoredJson(KEY, isHistory) ?? []);

/** Not in the browser's storage yet, newest first. */
let unstored: readonly HistoryEntry[] = [];

export function remember(entry: HistoryEntry): void {
  const kept = { ...entry, sql: entry.sql.slice(0, SQL_CHARS_MAX) };
  history.value = merged([kept], history.value);
  if (unstored.length === 0) setTimeout(store, STORE_AFTER_MS);
  unstored = merged([kept], unstored);
}

/** What other tabs of the browser have remembered in the same place stays. */
function store(): void {
  if (unstored.length === 0) return;
  history.value = merged(unstored, readStoredJson(KEY, isHistory) ?? []);
  unstored = [];
  writeStoredJson(KEY, history.value);
}

// A statement right before the page closes is stored, too.
window.addEventListener('pagehide', store);

/** The same statement again takes the place of its last run. */
function merged(newer: readonly HistoryEntry[], older: readonly HistoryEntry[]): readonly HistoryEntry[] {
  const keyOf = ({ sql, database }: HistoryEntry) => `${database}\n${sql}`;
  const known = new Set(newer.map(keyOf));
  return [...newer, ...older.filter(entry => !known.has(keyOf(entry)))].slice(0, ENTRIES_MAX);
}

export function forgetHistory(): void {
  history.value = [];
  unstored = [];
  writeStoredJson(KEY, []);
}
