/** The query tabs, and which one is shown. */
import { computed, type Signal, signal } from '@preact/signals';
import type { ChartChoice } from '../../chart/choice.ts';
import { Search } from '../../grid/find/search.ts';
import type { ParameterValues } from '../../parameters/value.ts';
import type { AnswerComparison } from './compare/answer_comparison.ts';
import { type KeptTab, keepTabs, readTabs } from './kept_tabs.ts';
import { RowFilter } from './results/row_filter.ts';
import type { StatementRun } from './statement_run.ts';

export interface QueryTab {
  readonly id: string;
  readonly title: Signal<string>;
  readonly text: Signal<string>;
  /** It was opened to look at rows: what is written has little room. */
  readonly isOfRows: boolean;
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

const KEEP_AFTER_MS = 400;

function makeTab({ id, title, text, isOfRows = false }: KeptTab): QueryTab {
  return {
    id,
    title: signal(title),
    text: signal(text),
    isOfRows,
    runs: signal([]),
    shownRun: signal(0),
    parameters: signal<ParameterValues>({}),
    chart: signal<ChartWish | undefined>(undefined),
    search: new Search(),
    filter: new RowFilter(),
    comparison: signal<AnswerComparison | undefined>(undefined),
  };
}

function blankTab(): QueryTab {
  return makeTab({ id: newId(), title: 'Query 1', text: '' });
}

export const tabs = signal<readonly QueryTab[]>([blankTab()]);
export const shownTabId = signal(tabs.peek()[0]?.id ?? '');
export const shownTab = computed(() => tabs.value.find(tab => tab.id === shownTabId.value) ?? tabs.value[0]);

/** Whose tabs are shown, as the page's address has it; undefined while no database was opened. */
let place: string | null | undefined;
const closed = new Set<string>();
/** Closed tabs that can be reopened, the last one at the end. */
const reopenable = signal<readonly Pick<KeptTab, 'title' | 'text' | 'isOfRows'>[]>([]);
const REOPENABLE_MAX = 20;
export const canReopen = computed(() => reopenable.value.length > 0);
let timer = 0;

function newId(): string {
  return Math.random().toString(36).slice(2, 10);
}

/**
 * Shows the tabs of another database. What was written before any was open goes along.
 *
 * @param next the page's address of it; null for the sample, which needs none
 * @returns whether it has none from earlier
 */
export function showTabsOf(next: string | null): boolean {
  if (next === place) return false;
  keepNow();
  const written = place === undefined ? tabs.peek().filter(({ text }) => text.peek() !== '') : [];
  place = next;
  reopenable.value = [];
  const kept = readTabs(next);
  const all = [...(kept ?? []).map(makeTab), ...written];
  tabs.value = all.length === 0 ? [blankTab()] : all;
  const shown = written.at(-1)?.id ?? kept?.find(({ isShown }) => isShown)?.id ?? tabs.peek()[0]?.id;
  shownTabId.value = shown ?? '';
  return kept === undefined;
}

/** Gives the tabs to a copy of the database, too. */
export function giveTabsTo(copy: string): void {
  keepTabs(copy, plainTabs(), closed);
}

function plainTabs(): readonly KeptTab[] {
  const shown = shownTab.peek();
  return tabs.peek().map(tab => {
    const { id, title, text, isOfRows } = tab;
    return { id, title: title.peek(), text: text.peek(), isOfRows, isShown: tab === shown };
  });
}

function keepSoon(): void {
  clearTimeout(timer);
  timer = window.setTimeout(keepNow, KEEP_AFTER_MS);
}

function keepNow(): void {
  if (timer === 0 || place === undefined) return;
  clearTimeout(timer);
  timer = 0;
  keepTabs(place, plainTabs(), closed);
}

shownTabId.subscribe(keepSoon);
// Stored with a short delay after the last key, and at once when the page closes.
window.addEventListener('pagehide', keepNow);

export function setText(tab: QueryTab, text: string): void {
  tab.text.value = text;
  keepSoon();
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
  keepSoon();
}

export function addTab(text = '', title = nextTitle(), { isOfRows = false } = {}): QueryTab {
  const tab = makeTab({ id: newId(), title, text, isOfRows });
  tabs.value = [...tabs.value, tab];
  shownTabId.value = tab.id;
  keepSoon();
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
  closed.add(tab.id);
  const text = tab.text.peek();
  if (text.trim() !== '') {
    const gone = { title: tab.title.peek(), text, isOfRows: tab.isOfRows };
    reopenable.value = [...reopenable.peek(), gone].slice(-REOPENABLE_MAX);
  }
  const at = tabs.value.indexOf(tab);
  const left = tabs.value.filter(other => other !== tab);
  tabs.value = left.length === 0 ? [blankTab()] : left;
  if (shownTabId.value === tab.id) shownTabId.value = tabs.value[Math.min(at, tabs.value.length - 1)]?.id ?? '';
  keepSoon();
}

/** Brings back what was closed last. */
export function reopenTab(): void {
  const last = reopenable.peek().at(-1);
  if (last === undefined) return;
  reopenable.value = reopenable.peek().slice(0, -1);
  addTab(last.text, last.title, last);
}

export function showNeighbour(step: 1 | -1): void {
  const list = tabs.value;
  const at = list.findIndex(tab => tab.id === shownTabId.value);
  shownTabId.value = list[(at + step + list.length) % list.length]?.id ?? '';
}
