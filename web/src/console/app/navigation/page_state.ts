/** State of the page: what is open and shown, as URL and as entry of the browser's history. */
import { batch } from '@preact/signals';
import type { LogScope } from '../../graph/log.ts';
import { isSamePlace, type Place } from '../../schema/model.ts';
import { groupNamed } from '../../versions/selection.ts';
import { previewOf, runInTab } from '../actions.ts';
import { type Connection, currentConnection } from '../database/connection.ts';
import { VIEW_NAMES, view } from '../layout_state.ts';
import { NOTHING, withOpened } from '../open/address.ts';
import { shownTab, shownTabId, tabs } from '../query/query_tabs.ts';
import { chosenChange } from '../versions/changes/changes_state.ts';
import { comparedRange, comparedTable, NOT_COMMITTED } from '../versions/compare/compare_state.ts';
import {
  chosenCommit,
  logScope,
  NEWEST,
  searchLog,
  showCommit,
  soughtInLog,
  wantedCommit,
} from '../versions/log/log_state.ts';
import { showLinkedQuery } from './page_link.ts';
import { hashOf, type Linked, type Shown } from './shown.ts';

/** What the browser keeps with an address of the page. */
export interface Entry {
  /** How many of this page are before it. */
  readonly step: number;
  /** What was picked, where no address leads. */
  readonly picked?: number;
  /** The name of what no address leads to. */
  readonly local?: string;
  /** The query tab that was in front. */
  readonly tab: string;
  /** The rows that the tab was opened for. */
  readonly preview?: { readonly title: string; readonly sql: string };
  readonly log: { readonly scope: LogScope; readonly search: string };
}

/** What the browser has kept, if it is ours. */
export function entryOf(state: unknown): Entry | undefined {
  return typeof (state as Entry | null)?.step === 'number' ? (state as Entry) : undefined;
}

/** The state of the page. */
export interface PageState {
  readonly url: string;
  /** Browsers list entries by their titles. */
  readonly title: string;
  /** All of it that is worth an entry of its own. */
  readonly key: string;
  readonly entry: Omit<Entry, 'step'>;
}

/** That of the page itself. */
export const TITLE = document.title;

/** Undefined while nothing is open. */
export function pageState(): PageState | undefined {
  const connection = currentConnection();
  if (connection === undefined) return undefined;
  const { address, picked } = connection.origin;
  const shown = shownNow();
  const tab = shownTab.value;
  const preview = previewOf(tab);
  const url = withOpened(new URL(location.href), address === undefined ? NOTHING : address, placeNow(connection));
  url.hash = hashOf(shown);
  const isQuery = shown.view === 'query';
  return {
    url: url.href,
    title: titleOf(isQuery ? (tab?.title.value ?? '') : VIEW_NAMES[shown.view], connection),
    key: JSON.stringify([url.href, picked, isQuery && [tab?.id, preview]]),
    entry: {
      ...(picked !== undefined && { picked }),
      ...(address === undefined && { local: connection.label }),
      tab: tab?.id ?? '',
      ...(preview !== undefined && { preview }),
      log: { scope: logScope.value, search: soughtInLog.value },
    },
  };
}

function titleOf(what: string, { catalog }: Connection): string {
  const { database, branch } = catalog.place.value;
  const place = branch === '' || branch === 'main' ? database : `${database}/${branch}`;
  return `${what} · ${place} · ${TITLE}`;
}

/** Undefined where the database opens anyway. */
function placeNow({ catalog, home }: Connection): Place | undefined {
  const place = catalog.place.value;
  return place.branch === '' || isSamePlace(place, home) ? undefined : place;
}

function shownNow(): Shown {
  if (view.value === 'log') return { view: 'log', commit: wantedCommit.value || chosenCommit.value.hash };
  if (view.value === 'compare') return { view: 'compare', ...comparedRange.value, table: comparedTable.value };
  if (view.value === 'changes') {
    return { view: 'changes', group: chosenChange.value?.group ?? '', table: chosenChange.value?.table ?? '' };
  }
  return { view: view.value };
}

/** @param entry undefined for a link that others have made */
export function show(linked: Linked, entry: Entry | undefined): void {
  if (currentConnection() === undefined) return;
  if ('sql' in linked) showLinkedQuery(linked.sql);
  else if (linked.view === 'query') showQuery(entry);
  else if (linked.view === 'log') showLog(linked.commit, entry);
  else if (linked.view === 'changes') {
    const group = groupNamed(linked.group) ?? 'unstaged';
    chosenChange.value = linked.table === '' ? undefined : { group, table: linked.table };
  } else if (linked.view === 'compare') {
    comparedRange.value = { from: linked.from, to: linked.to };
    comparedTable.value = linked.table;
  }
  view.value = linked.view;
}

function showQuery(entry: Entry | undefined): void {
  const tab = tabs.peek().find(({ id }) => id === entry?.tab);
  const { preview } = entry ?? {};
  if (preview !== undefined && tab?.text.peek() !== preview.sql) void runInTab(preview.title, preview.sql);
  else if (tab !== undefined) shownTabId.value = tab.id;
}

function showLog(commit: string, entry: Entry | undefined): void {
  if (entry === undefined && commit !== '') {
    logScope.value = 'all';
    showCommit(commit);
  } else if (entry !== undefined) {
    logScope.value = entry.log.scope;
    searchLog(entry.log.search);
    chosenCommit.value = NEWEST;
    wantedCommit.value = commit;
  }
}

/** Commits and tables are of one database. */
export function resetShown(): void {
  batch(() => {
    searchLog('');
    wantedCommit.value = '';
    chosenCommit.value = NEWEST;
    chosenChange.value = undefined;
    comparedRange.value = NOT_COMMITTED;
    comparedTable.value = '';
  });
}
