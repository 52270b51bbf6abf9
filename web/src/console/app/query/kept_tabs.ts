/**
 * Query tabs between visits: those of each database by themselves. A browser tab finds its own again when it is reloaded. What several
 * of them write beside one database is kept from all of them, for the next visit.
 */
import { readStoredJson, writeStoredJson } from '../../ui/stored.ts';

export interface KeptTab {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly isShown?: boolean;
  readonly isOfRows?: boolean;
}

function areKept(value: unknown): value is KeptTab[] {
  return (
    Array.isArray(value) &&
    value.every(tab => ['id', 'title', 'text'].every(name => typeof tab?.[name] === 'string')) &&
    value.length > 0
  );
}

/** @param place the page's address of the database; null for the sample, which needs none */
function keyOf(place: string | null): string {
  return place === null ? 'tabs' : `tabs.${place}`;
}

export function readTabs(place: string | null): readonly KeptTab[] | undefined {
  return readStoredJson(keyOf(place), areKept, 'tab') ?? readStoredJson(keyOf(place), areKept);
}

/** @param closed ids of tabs that a person has closed here */
export function keepTabs(place: string | null, tabs: readonly KeptTab[], closed: ReadonlySet<string>): void {
  const key = keyOf(place);
  writeStoredJson(key, tabs, 'tab');
  const own = new Set(tabs.map(({ id }) => id));
  const others = (readStoredJson(key, areKept) ?? []).filter(
    ({ id, text }) => !own.has(id) && !closed.has(id) && text.trim() !== '',
  );
  writeStoredJson(key, [...tabs, ...others.map(tab => ({ ...tab, isShown: false }))]);
}
