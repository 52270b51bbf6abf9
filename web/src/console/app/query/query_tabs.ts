import { computed, type Signal, signal } from '@preact/signals';
import type { ChartChoice } from '../../chart/choice.ts';
import { Search } from '../../grid/search.ts';
import type { ParameterValues } from '../../parameters/value.ts';
import { readStoredJson, writeStoredJson } from '../../ui/stored.ts';
import type { AnswerComparison } from './answer_comparison.ts';
import { RowFilter } from './row_filter.ts';
import type { StatementRun } from './statement_run.ts';

export interface QueryTab {
  readonly id: string;
  readonly title: Signal<string>;
  readonly text: Signal<string>;
  readonly runs: Signal<readonly StatementRun[]>;
  /** Index of the shown run. */
  readonly shownRun: Signal<number>;
  /** What was given for parameters since the page was opened. */
  readonly parameters: Signal<ParameterValues>;
  /** Results are shown as charts. */
  readonly chart: Signal<ChartWish | undefined>;
  readonly search: Search;
  readonly filter: RowFilter;
  /** Shown in the place of results. */
  readonly comparison: Signal<AnswerComparison | undefined>;
}

export interface ChartWish {
  /** What a person chose; undefined for what is likely. */
  readonly choice?: ChartChoice;
  /** The columns of the result for which it was chosen. */
  readonly names?: string;
}

interface StoredTab {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

const KEY = 'tabs';
const STORE_AFTER_MS = 400;

function isStored(value: unknown): value is StoredTab[] {
  return (
    Array.isArray(value) &&
    value.every(tab => ['id', 'title', 'text'].every(name => typeof tab?.[name] === 'string')) &&
    value.length > 0
  );
}

function makeTab({ id, title, text }: StoredTab): QueryTab {
  return {
    id,
    title: signal(title),
    text: signal(text),
    runs: signal([]),
    shownRun: signal(0),
    parameters: signal<ParameterValues>({}),
    chart: signal<ChartWish | undefined>(undefined),
    search: new Search(),
    filter: new RowFilter(),
    comparison: signal<AnswerComparison | undefined>(undefined),
  };
}

const stored = readStoredJson(KEY, isStored);

export const tabs = signal<readonly QueryTab[]>((stored ?? [{ id: newId(), title: 'Query 1', text: '' }]).map(makeTab));
export const shownTabId = signal(tabs.peek()[0]?.id ?? '');
export const shownTab = computed(() => tabs.value.find(tab => tab.id === shownTabId.value) ?? tabs.value[0]);
/** Nothing was kept from an earlier visit. */
export const isFirstVisit = stored === undefined;

let timer = 0;

function newId(): string {
  return Math.random().toString(36).slice(2, 10);
}

function store(): void {
  clearTimeout(timer);
  timer = window.setTimeout(storeNow, STORE_AFTER_MS);
}

function storeNow(): void {
  clearTimeout(timer);
  timer = 0;
  const plain = tabs.peek().map(({ id, title, text }) => ({ id, title: title.peek(), text: text.peek() }));
  writeStoredJson(KEY, plain);
}

// Whoever leaves right after the last key finds it again.
window.addEventListener('pagehide', () => timer !== 0 && storeNow());

export function setText(tab: QueryTab, text: string): void {
  tab.text.value = text;
  store();
}

/** Forgets all results. */
export function clearRuns(): void {
  for (const tab of tabs.peek()) {
    closeComparison(tab);
    tab.runs.value = [];
    tab.shownRun.value = 0;
  }
}

/** Shows the results again. */
export function closeComparison(tab: QueryTab): void {
  tab.comparison.peek()?.close();
  tab.comparison.value = undefined;
}

export function rename(tab: QueryTab, title: string): void {
  if (title.trim() === '') return;
  tab.title.value = title.trim();
  store();
}

export function addTab(text = '', title?: string): QueryTab {
  const tab = makeTab({ id: newId(), title: title ?? nextTitle(), text });
  tabs.value = [...tabs.value, tab];
  shownTabId.value = tab.id;
  store();
  return tab;
}

function nextTitle(): string {
  const numbers = tabs.peek().map(({ title }) => Number(/^Query (\d+)$/.exec(title.peek())?.[1] ?? 0));
  return `Query ${Math.max(0, ...numbers) + 1}`;
}

/** Rows of some result have edits that are not saved. */
export function hasEdits(tab: QueryTab): boolean {
  return tab.runs.peek().some(run => run.pages.peek()?.isDirty);
}

export function closeTab(tab: QueryTab): void {
  closeComparison(tab);
  const at = tabs.value.indexOf(tab);
  const left = tabs.value.filter(other => other !== tab);
  tabs.value = left.length === 0 ? [makeTab({ id: newId(), title: 'Query 1', text: '' })] : left;
  if (shownTabId.value === tab.id) shownTabId.value = tabs.value[Math.min(at, tabs.value.length - 1)]?.id ?? '';
  store();
}

export function showNeighbour(step: 1 | -1): void {
  const list = tabs.value;
  const at = list.findIndex(tab => tab.id === shownTabId.value);
  shownTabId.value = list[(at + step + list.length) % list.length]?.id ?? '';
}
