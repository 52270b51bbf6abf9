import { signal } from '@preact/signals';
import { readStoredJson, writeStoredJson } from '../../ui/stored.ts';

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
/** A pasted dump is not worth remembering whole. */
const SQL_CHARS_MAX = 10_000;

function isHistory(value: unknown): value is HistoryEntry[] {
  return Array.isArray(value) && value.every(entry => typeof entry?.sql === 'string' && typeof entry.at === 'number');
}

/** Statements that ran, newest first. */
export const history = signal<readonly HistoryEntry[]>(readStoredJson(KEY, isHistory) ?? []);

export function remember(entry: HistoryEntry): void {
  const kept = { ...entry, sql: entry.sql.slice(0, SQL_CHARS_MAX) };
  // The same statement again takes the place of its last run.
  // Other tabs of the browser remember theirs in the same place.
  const known = readStoredJson(KEY, isHistory) ?? history.value;
  const others = known.filter(({ sql, database }) => sql !== kept.sql || database !== kept.database);
  history.value = [kept, ...others].slice(0, ENTRIES_MAX);
  writeStoredJson(KEY, history.value);
}

export function forgetHistory(): void {
  history.value = [];
  writeStoredJson(KEY, []);
}
