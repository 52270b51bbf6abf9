/** The open database of the page, and how one is opened and closed. */
import { signal } from '@preact/signals';
import {
  type Database,
  keepConflicts,
  type OpenOptions,
  type Queries,
  type RegionMode,
  type Session,
  type Source,
  VarveError,
} from '../../../lib/index.ts';
import { Catalog } from '../../schema/catalog.ts';
import type { Place } from '../../schema/model.ts';
import { quoteName, revisionName } from '../../sql/names.ts';
import { messageOf } from '../../ui/message_of.ts';
import { toast } from '../../ui/toast.tsx';
import { openBudgetBytes, openMode } from '../open/open_settings.ts';
import { clearRuns } from '../query/query_tabs.ts';
import { askCredentials } from './credentials.ts';
import { isGone } from './storage_state.ts';

export interface Connection {
  readonly database: Database;
  /** Where the person's statements run. */
  readonly session: Session;
  readonly catalog: Catalog;
  readonly label: string;
  /** What opens it again. */
  readonly origin: Origin;
  readonly source: Source;
  /** The sample, which the page opens by default. */
  readonly isSample: boolean;
  /** Branch that opens by default. */
  readonly home: Place;
  readonly mode: RegionMode;
  readonly budgetBytes: number;
}

/** What the page's address says of what is open. */
export interface Origin {
  /** Null for the sample, which needs none; undefined for what no address leads to. */
  readonly address: string | null | undefined;
  /** Of what was dropped or picked: its number among those, as long as the page is there. */
  readonly picked?: number;
}

export type OpenState =
  | { readonly kind: 'closed'; readonly failure: OpenFailure | undefined }
  | { readonly kind: 'opening'; readonly label: string; readonly detail: string; readonly cancel: () => void }
  | { readonly kind: 'open'; readonly connection: Connection };

export interface OpenFailure {
  readonly label: string;
  readonly message: string;
  /** Files are there, and not as they should be. */
  readonly isOfFiles: boolean;
}

/** The place of a file within the database; an address that did not answer is another thing. */
const PLACE_OF_FILE = /(?<!https?:\S*)\.dolt\/noms\//;

function failureOf(label: string, error: unknown): OpenFailure {
  const message = messageOf(error);
  const isUnreadable = error instanceof VarveError && error.code === 'unreadable';
  return { label, message, isOfFiles: isUnreadable && PLACE_OF_FILE.test(message) };
}

export type OpenFunction = (source: Source, options?: OpenOptions) => Promise<Database>;

export const openState = signal<OpenState>({ kind: 'closed', failure: undefined });

/** What is open was changed and is in memory only. */
export const isUnkept = signal(false);

/** Opens a database again whose newest commit is lost, to change the older state. */
export async function openForWriting({ source, label, origin, home }: Connection): Promise<void> {
  await openSource(source, label, { origin, at: home, acceptLoss: true });
}

/** To be told of every change that was made. */
export function noteChange({ database }: Connection): void {
  if (!database.storage.persistent) isUnkept.value = true;
}

/** Counts openings: one that was overtaken by another must not show anything any more. */
let attempt = 0;
let openDatabase: OpenFunction | undefined;

/** The package's `open`, or a stand-in for tests. */
export function setOpenFunction(open: OpenFunction): void {
  openDatabase = open;
}

export function currentConnection(): Connection | undefined {
  const state = openState.value;
  return state.kind === 'open' ? state.connection : undefined;
}

/** A way in that has begun: it looks for the files, or asks, before there is anything to open. */
let wayIn: Promise<unknown> = Promise.resolve();

export function followWayIn<T>(way: Promise<T>): Promise<T> {
  wayIn = way.catch(() => undefined);
  return way;
}

/** The connection, after the opening that is under way; undefined when it fails or there is none. */
export async function openedConnection(): Promise<Connection | undefined> {
  if (currentConnection() === undefined) await wayIn;
  while (openState.peek().kind === 'opening') {
    await new Promise<void>(resolve => {
      const before = openState.peek();
      const stop = openState.subscribe(state => {
        if (state === before) return;
        stop();
        resolve();
      });
    });
  }
  const state = openState.peek();
  return state.kind === 'open' ? state.connection : undefined;
}

interface Opening {
  readonly origin: Origin;
  /** Changes go on from an older state where the newest commit is lost. */
  readonly acceptLoss?: boolean | undefined;
  /** `error` for an address from an untrusted source. */
  readonly redirects?: 'error' | undefined;
  /** The branch to stand on. */
  readonly at?: Place | undefined;
}

/** Opens a source in place of what is open. True when it worked; otherwise `openState` says why not. */
export async function openSource(source: Source, label: string, opening: Opening): Promise<boolean> {
  const { origin, at, acceptLoss, redirects } = opening;
  if (openDatabase === undefined) return false;
  const before = openState.peek();
  const abort = new AbortController();
  attempt += 1;
  const own = attempt;
  const show = (detail: string) => {
    if (own === attempt) openState.value = { kind: 'opening', label, detail, cancel: () => abort.abort() };
  };
  show('');
  // Results of another database would read as this one's.
  clearRuns();
  isUnkept.value = false;
  isGone.value = false;
  await release(before);
  try {
    const mode = openMode.peek();
    const budgetBytes = openBudgetBytes.peek();
    const database = await openDatabase(source, {
      mode,
      budgetBytes,
      acceptLoss,
      redirects,
      credentials: askCredentials,
      signal: abort.signal,
      onProgress: ({ what, filesDone }) => show(filesDone > 0 ? `${what}, ${filesDone} files` : what),
    });
    const [session, catalogSession] = await Promise.all([database.session(), database.session()]);
    // A merge leaves its conflicts where the changes show them, and other statements can go on beside them.
    await Promise.all([session, database].map(queries => keepConflicts(queries).catch(() => undefined)));
    const catalog = new Catalog(catalogSession, database);
    const say = (error: unknown) => toast(messageOf(error), 'failure');
    const home = at === undefined ? undefined : await leaveFor(at, session, catalog).catch(say);
    // A schema that cannot be read does not keep a person from the tables that can.
    await catalog.refresh(session).catch(say);
    const place = catalog.place.peek();
    const isSample = origin.address === null;
    const opened = { database, session, catalog, label, origin, source, isSample };
    const connection = { ...opened, home: home ?? place, mode, budgetBytes };
    if (own !== attempt) {
      await release({ kind: 'open', connection });
      return false;
    }
    openState.value = { kind: 'open', connection };
    void database.closed.then(error => connectionLost(connection, error));
    return true;
  } catch (error) {
    if (own !== attempt) return false;
    openState.value = { kind: 'closed', failure: abort.signal.aborted ? undefined : failureOf(label, error) };
    return false;
  }
}

/** Closes the database without opening another. @param failure why a requested one could not be opened */
export async function closeSource(failure?: OpenFailure): Promise<void> {
  const before = openState.peek();
  attempt += 1;
  clearRuns();
  isUnkept.value = false;
  openState.value = { kind: 'closed', failure };
  await release(before);
}

/** Goes to another branch. Answers where the session stood. @throws Error when the branch is not there: the session stays */
async function leaveFor({ database, branch }: Place, session: Queries, catalog: Catalog): Promise<Place> {
  await catalog.refreshPlace(session);
  const home = catalog.place.peek();
  await session.query(`USE ${quoteName(revisionName(database, branch))}`).catch((cause: unknown) => {
    throw new Error(`There is no branch ${branch} of ${database} (any more): this is ${home.branch}`, { cause });
  });
  return home;
}

function connectionLost(connection: Connection, error: Error | null): void {
  const state = openState.peek();
  if (error === null || state.kind !== 'open' || state.connection !== connection) return;
  openState.value = { kind: 'closed', failure: failureOf(connection.label, error) };
}

async function release(state: OpenState): Promise<void> {
  if (state.kind === 'opening') state.cancel();
  if (state.kind !== 'open') return;
  state.connection.catalog.close();
  await state.connection.database.close().catch(() => undefined);
}
