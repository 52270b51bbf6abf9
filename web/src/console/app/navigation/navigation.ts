/**
 * Where a person goes on the page is in the browser's history: Back leads to the view, the tab, the commit, the branch and the database
 * before. The page's address says what is open and shown; what only this browser has, such as tabs, is beside it in the entry.
 */
import { batch, effect } from '@preact/signals';
import { isSamePlace } from '../../schema/model.ts';
import { selectBranch } from '../actions.ts';
import { type Connection, currentConnection } from '../database/connection.ts';
import { closeDialog, dialog } from '../dialogs.ts';
import { isDrawerOpen, isNarrow, overlay, view } from '../layout_state.ts';
import { wantedBy, wantedPlace } from '../open/address.ts';
import { openWanted } from '../open/opening.ts';
import { isTransferring } from '../transfer/transferring.ts';
import { chosenCommit } from '../versions/log/log_state.ts';
import { showLinkedQuery } from './page_link.ts';
import { type Entry, entryOf, type PageState, pageState, resetShown, show, TITLE } from './page_state.ts';
import { linkedBy } from './shown.ts';

/** Browsers take so many changes of an entry, and no more. */
const PASSING_MS = 100;

/** The page before anything was open. */
const START: Entry = { step: 0, tab: '', log: { scope: 'branch', search: '' } };
const NOWHERE = { url: '', title: TITLE, key: '', entry: undefined } as const;

let step = 0;
/** What the present entry says. */
let noted: PageState | typeof NOWHERE = NOWHERE;
/** Counts the ways through the history: one that was overtaken by another ends. */
let way = 0;
let isUnderWay = false;
/** The browser is on its way back to where the page stayed. */
let isReturning = false;

/** Follows the browser's history from now on, beginning with what the page's address asks for. */
export function followHistory(opened: Promise<void>): () => void {
  const entry = entryOf(history.state);
  step = entry?.step ?? 0;
  void begin(opened, entry);
  let before: Connection | undefined;
  const endForgetting = effect(() => {
    const connection = currentConnection();
    if (connection === undefined || connection === before) return;
    if (before !== undefined) resetShown();
    before = connection;
  });
  let timer = 0;
  /** A commit that was passed, and is not noted yet. */
  let passed: PageState | undefined;
  const noteNow = () => {
    passed = undefined;
    note();
  };
  const end = effect(() => {
    const now = pageState();
    clearTimeout(timer);
    // What one press changes is one step, though it may be several parts of the page; of commits that a held key passes, the last.
    const isPassing = view.value === 'log' && chosenCommit.value.isPassed;
    // A return to the log shows the commit that was selected.
    if (!isPassing && passed !== undefined && !isUnderWay && isPassedIn(passed)) keep(passed);
    passed = isPassing ? now : undefined;
    timer = window.setTimeout(noteNow, isPassing ? PASSING_MS : 0);
  });
  window.addEventListener('popstate', onPopState);
  return () => {
    end();
    endForgetting();
    clearTimeout(timer);
    window.removeEventListener('popstate', onPopState);
  };
}

async function begin(opened: Promise<void>, entry: Entry | undefined): Promise<void> {
  const linked = linkedBy(location.hash);
  await travel(async () => {
    // A view and a text are there before the database is; who has gone on by then stays there.
    if (linked !== undefined && 'sql' in linked) showLinkedQuery(linked.sql);
    else if (linked !== undefined) view.value = linked.view;
    await opened;
    return () => {
      if (currentConnection() === undefined) view.value = 'query';
      else if (linked !== undefined && !('sql' in linked) && view.peek() === linked.view) show(linked, entry);
    };
  });
  if (history.state === null) history.replaceState(START, '');
}

/** Makes an entry of where the person has gone. */
function note(): void {
  const now = pageState();
  if (isUnderWay || isReturning || now === undefined) return;
  if (now.key === noted.key || isSlight(now)) {
    keep(now);
    return;
  }
  step += 1;
  noted = now;
  history.pushState({ ...now.entry, step }, '', now.url);
  // Not before: it is that of the entry which is there.
  document.title = now.title;
}

/** Whether it is no step of its own: a commit that was passed, a preview whose text is being edited. */
function isSlight(now: PageState): boolean {
  const { url, entry } = now;
  if (view.peek() === 'query')
    return url === noted.url && entry.tab === noted.entry?.tab && entry.preview === undefined;
  return view.peek() === 'log' && chosenCommit.peek().isPassed && isPassedIn(now);
}

/** Whether the present entry is of the log in which a commit was passed. */
function isPassedIn({ url }: PageState): boolean {
  if (noted === NOWHERE) return false;
  const [now, before] = [new URL(url), new URL(noted.url)];
  return now.search === before.search && linkedBy(before.hash)?.view === 'log';
}

/** Replaces the current entry by the present state of the page. */
function keep(now: PageState): void {
  if (JSON.stringify(now) === JSON.stringify(noted)) return;
  noted = now;
  history.replaceState({ ...now.entry, step }, '', now.url);
  document.title = now.title;
}

/**
 * Goes somewhere by the history.
 *
 * @param go gives what is to be done at the end, in one step
 * @returns false when another way overtook this one
 */
async function travel(go: () => Promise<() => unknown>): Promise<boolean> {
  way += 1;
  const own = way;
  isUnderWay = true;
  const arrive = await go();
  if (own !== way) return false;
  batch(arrive);
  isUnderWay = false;
  if (isReturning) return true;
  const now = pageState();
  noted = NOWHERE;
  document.title = NOWHERE.title;
  if (now !== undefined) keep(now);
  return true;
}

function onPopState({ state }: PopStateEvent): void {
  if (isReturning) {
    isReturning = false;
    note();
    return;
  }
  const entry = entryOf(state);
  if (entry === undefined) {
    // A URL that was typed or pasted, with another part after `#`.
    step += 1;
    const linked = linkedBy(location.hash);
    void travel(async () => () => linked !== undefined && show(linked, undefined));
    return;
  }
  if (closeWhatLiesOver()) stay(entry);
  else void goTo(entry);
}

/** Back closes what is over the page first. */
function closeWhatLiesOver(): boolean {
  const isOver =
    dialog.peek() !== undefined || overlay.peek() !== undefined || (isNarrow.peek() && isDrawerOpen.peek());
  if (!isOver || isTransferring.peek()) return isOver;
  closeDialog();
  overlay.value = undefined;
  isDrawerOpen.value = false;
  return true;
}

/** The browser has gone to another entry, the page has not. */
function stay(entry: Entry): void {
  if (entry.step === step || isReturning) return;
  isReturning = true;
  history.go(step - entry.step);
}

async function goTo(entry: Entry): Promise<void> {
  const before = noted.key;
  const direction = Math.sign(entry.step - step);
  const { search, hash } = location;
  const connection = currentConnection();
  let isRefused = false;
  const hasArrived = await travel(async () => {
    if (connection === undefined || !isOpen(connection, search, entry)) {
      await openWanted(entry);
      isRefused = connection !== undefined && connection === currentConnection();
    } else {
      const place = wantedPlace(search) ?? connection.home;
      if (!isSamePlace(place, connection.catalog.place.peek()) && place.branch !== '') await selectBranch(place);
    }
    if (isRefused) return () => stay(entry);
    return () => {
      step = entry.step;
      show(linkedBy(hash) ?? { view: 'query' }, entry);
    };
  });
  // Nothing but the tab was another one, and it is closed by now.
  if (hasArrived && noted.key === before && !isRefused && direction !== 0 && step > 0) history.go(direction);
}

/** Whether an address is that of what is open. */
function isOpen({ origin: { address, picked } }: Connection, search: string, entry: Entry): boolean {
  const wanted = wantedBy(search);
  if (address === undefined) return wanted.kind === 'nothing' && entry.picked === picked;
  return new URLSearchParams(search).get('open') === address;
}
