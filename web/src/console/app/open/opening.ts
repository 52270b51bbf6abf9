/** Ways into a database, each ending in `openSource`. */

import { mayRead, type Recent, rememberRecent } from '../../files/recent.ts';
import { type NamedSource, pickDirectory, sourceOfDrop, sourceOfFiles, sourceOfUrl } from '../../files/sources.ts';
import { listStored, storedPath } from '../../files/stored_databases.ts';
import type { Place } from '../../schema/model.ts';
import { formatOf } from '../../transfer/formats.ts';
import { messageOf } from '../../ui/message_of.ts';
import { toast } from '../../ui/toast.tsx';
import {
  closeSource,
  currentConnection,
  followWayIn,
  isUnkept,
  type OpenFailure,
  type Origin,
  openSource,
} from '../database/connection.ts';
import { dialog } from '../dialogs.ts';
import { overlay, view } from '../layout_state.ts';
import { hasEdits, setText, shownTab, showTabsOf, tabs } from '../query/query_tabs.ts';
import { storedAddress, wantedBy, wantedPlace } from './address.ts';
import { mayOpenLink, trustOrigin } from './trusted_origins.ts';

/** The seed bank that is beside the console. It is unpacked into memory, so that it can be changed. */
const SAMPLE_URL = 'sample/seed_bank.zip';

const SAMPLE_SCRIPT = `-- The seed bank: species, the lots collected of them, and how well they germinate.
-- Ctrl-Enter runs the statement at the cursor, Ctrl-Shift-Enter runs all of them.
SELECT s.name, s.common_name, COUNT(*) AS lots, SUM(a.seeds) AS seeds, MAX(a.collected) AS last_collected
FROM accessions a
JOIN species s ON s.id = a.species_id
GROUP BY s.id, s.name, s.common_name
ORDER BY lots DESC;

SELECT * FROM accessions;

-- Who changed what, and when
SELECT commit_hash, author, date, message FROM dolt_log LIMIT 20;

-- The same table as it was printed in the yearly report
SELECT id, name, priority FROM species AS OF 'report-2025' WHERE priority <> 'normal';
`;

/** Statements and rows are not opened: they go into the database that is. */
function importInstead(files: readonly File[]): boolean {
  const [only] = files;
  if (files.length !== 1 || only === undefined || formatOf(only.name) === undefined) return false;
  if (only.webkitRelativePath !== '') return false;
  overlay.value = undefined;
  dialog.value = { kind: 'import', files: [only] };
  return true;
}

/** What is in memory alone, or was not saved yet, goes when another database is opened: not without a question. */
function mayLeave(): Promise<boolean> {
  const connection = currentConnection();
  const hasUnsaved = tabs.peek().some(hasEdits);
  if (connection === undefined || !(isUnkept.peek() || hasUnsaved)) return Promise.resolve(true);
  const unsaved = 'Unsaved row edits will be lost when you open another database.';
  const unkept =
    'This database is in memory only. Its changes will be lost when you open another one. Use “Keep in this browser” in the status bar to save it.';
  overlay.value = undefined;
  return new Promise(resolve => {
    dialog.value = {
      kind: 'confirm',
      title: `Leave ${connection.label}?`,
      text: [hasUnsaved ? unsaved : '', isUnkept.peek() ? unkept : ''].join(' ').trim(),
      verb: 'Leave',
      onConfirm: () => resolve(true),
      onCancel: () => resolve(false),
    };
  });
}

/** What was looked at of one database is not looked at of the next. A page that begins has its view by its address. */
function leaveView(): void {
  if (currentConnection() !== undefined) view.value = 'query';
}

/** Before the name of what has no address: its tabs are found again when something of this name is opened. */
const LOCAL = 'local:';

/** Something that may be opened again by the page's address, or not. */
interface Opened extends NamedSource {
  readonly address?: string;
  /** `error` where the person was asked about this address alone. */
  readonly redirects?: 'error';
}

/** What no address leads to: files and directories, by their numbers in `Origin.picked`. */
const picked: Opened[] = [];

function originOf(named: Opened): Origin {
  if (named.address !== undefined) return { address: named.address };
  // There is nothing behind a new one in memory.
  if (typeof named.source === 'object' && 'empty' in named.source) return { address: undefined };
  if (!picked.includes(named)) picked.push(named);
  return { address: undefined, picked: picked.indexOf(named) };
}

async function openNamed(named: Opened | undefined, at: Place | undefined): Promise<void> {
  if (named === undefined || !(await mayLeave())) return;
  overlay.value = undefined;
  showTabsOf(named.address ?? `${LOCAL}${named.label}`);
  leaveView();
  const { redirects } = named;
  const opened = await openSource(named.source, named.label, { origin: originOf(named), at, redirects });
  if (!opened) return;
  if (named.recent !== undefined) await rememberRecent(named.label, named.recent);
}

/** Runs a way in and says what went wrong before there was anything to open. */
function tryOpening(way: () => Promise<Opened | undefined> | Opened | undefined, at?: Place): Promise<void> {
  const opening = async () => {
    try {
      await openNamed(await way(), at);
    } catch (error) {
      toast(messageOf(error), 'failure');
    }
  };
  return followWayIn(opening());
}

/**
 * Opens what the page's address asks for, the sample when it asks for nothing.
 *
 * @param before what the page's history knows of what no address leads to
 */
export async function openWanted(before: Local = {}): Promise<void> {
  const { picked: again, local } = before;
  const wanted = wantedBy(location.search);
  const at = wantedPlace(location.search);
  if (wanted.kind === 'sample') await openSample(at);
  else if (wanted.kind === 'stored') {
    // Before it is known whether the database is there: no other tabs are drawn first.
    if (currentConnection() === undefined) showTabsOf(storedAddress(wanted.name));
    if ((await listStored()).includes(wanted.name)) await openStored(wanted.name, at);
    else if (await mayLeave()) await closeSource(notKeptFailure(wanted.name));
  } else if (wanted.kind === 'url') await openLink(wanted.url, at);
  else if (again !== undefined && picked[again] !== undefined) await tryOpening(() => picked[again], at);
  else if (await mayLeave()) await closeSource(local === undefined ? undefined : lostFailure(local, again));
}

/** What is on this machine only. */
interface Local {
  /** Its number among what was picked. */
  readonly picked?: number;
  /** Its name. */
  readonly local?: string;
}

/** Message for a session that cannot be restored. */
function lostFailure(label: string, again: number | undefined): OpenFailure {
  const message =
    again === undefined
      ? 'The database was in memory only and is lost. Databases saved with “Keep in this browser” are listed below.'
      : 'After a reload, the page cannot read picked or dropped files. Pick or drop them again.';
  return { label, message, isOfFiles: false };
}

/** Message for a link to a database that this browser does not have. */
function notKeptFailure(label: string): OpenFailure {
  const message =
    'This browser has no database of this name. It was deleted, or the link comes from another browser. To move a database between browsers, export it to a file.';
  return { label, message, isOfFiles: false };
}

export async function openSample(at?: Place): Promise<void> {
  if (!(await mayLeave())) return;
  overlay.value = undefined;
  const isNew = showTabsOf(null);
  const tab = shownTab.peek();
  if (isNew && tab?.text.peek() === '') setText(tab, SAMPLE_SCRIPT);
  leaveView();
  await openSource(new URL(SAMPLE_URL, document.baseURI), 'seed_bank', { origin: { address: null }, at });
}

/** A database that was kept in this browser. */
export function openStored(name: string, at?: Place): Promise<void> {
  return tryOpening(async () => {
    if (!(await listStored()).includes(name)) throw new Error(`There is no database ${name} in this browser`);
    return { source: { opfs: storedPath(name) }, label: name, address: storedAddress(name) };
  }, at);
}

/**
 * A database from nothing.
 *
 * @param isAsked the person knows that what is in memory goes
 */
export async function openNew(name: string, isKept: boolean, { isAsked = false } = {}): Promise<void> {
  if (isAsked) isUnkept.value = false;
  await tryOpening(() =>
    isKept
      ? { source: { opfs: storedPath(name), create: true }, label: name, address: storedAddress(name) }
      : { source: { empty: name }, label: name },
  );
}

/** The same as an address: what was given is relative to the page, and the page's address says it in full. */
function namedUrl(text: string): Opened {
  const named = sourceOfUrl(text);
  return { ...named, ...(named.recent !== undefined && 'url' in named.recent && { address: named.recent.url }) };
}

/** An address that the person entered, or opened before: that is leave enough. */
export function openUrl(text: string): Promise<void> {
  return tryOpening(() => {
    const named = namedUrl(text);
    if (named.address !== undefined) trustOrigin(new URL(named.address).origin);
    return named;
  });
}

/** A URL from an untrusted source. */
function openLink(text: string, at: Place | undefined): Promise<void> {
  return tryOpening(async () => {
    const named = namedUrl(text);
    const url = new URL(named.address ?? location.href);
    if (await mayOpenLink(url)) return { ...named, redirects: 'error' };
    if (await mayLeave()) await closeSource(refusedFailure(named.label, url.origin));
    return undefined;
  }, at);
}

/** Message for a link whose origin the user did not trust. */
function refusedFailure(label: string, origin: string): OpenFailure {
  const message = `Nothing was requested from ${origin}. To open the database, enter its URL below.`;
  return { label, message, isOfFiles: false };
}

export function openPicked(): Promise<void> {
  return tryOpening(pickDirectory);
}

export function openFiles(files: FileList | null): Promise<void> {
  if (files !== null && importInstead(Array.from(files))) return Promise.resolve();
  return tryOpening(() => (files === null || files.length === 0 ? undefined : sourceOfFiles(Array.from(files))));
}

export function openDrop(transfer: DataTransfer): Promise<void> {
  if (importInstead(Array.from(transfer.files))) return Promise.resolve();
  return tryOpening(() => sourceOfDrop(transfer));
}

export function openRecent({ label, url, handle }: Recent): Promise<void> {
  return tryOpening(async () => {
    if (url !== undefined) {
      const named = namedUrl(url);
      trustOrigin(new URL(url).origin);
      return { ...named, label };
    }
    if (handle === undefined) return undefined;
    if (!(await mayRead(handle))) throw new Error(`The browser blocked reading ${handle.name}`);
    return { source: { directory: handle }, label, recent: { handle } };
  });
}
