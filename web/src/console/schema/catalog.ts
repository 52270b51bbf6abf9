import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Queries } from '../../lib/index.ts';
import { messageOf } from '../ui/message_of.ts';
import { countRows, loadBranches, loadColumns, loadDatabases, loadPlace, loadPrograms, loadTables } from './load.ts';
import { type BranchInfo, type ColumnInfo, isSamePlace, type Place, type Program } from './model.ts';

/** A part of the tree that is read when it is first looked at. */
export type Loaded<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly value: T }
  | { readonly kind: 'failed'; readonly message: string };

export interface TableNode {
  readonly name: string;
  readonly isView: boolean;
  /** Null while it is counted, undefined when it cannot be. */
  readonly rowCount: Signal<number | null | undefined>;
  readonly columns: Signal<Loaded<readonly ColumnInfo[]> | undefined>;
}

const LOADING = { kind: 'loading' } as const;
/** Columns of so many tables are read ahead, for completion. */
const COLUMNS_AHEAD_MAX = 100;

async function load<T>(target: Signal<Loaded<T> | undefined>, read: () => Promise<T>): Promise<void> {
  if (target.peek() === undefined) target.value = LOADING;
  try {
    target.value = { kind: 'ready', value: await read() };
  } catch (error) {
    target.value = { kind: 'failed', message: messageOf(error) };
  }
}

/**
 * The schema of an opened source, read piece by piece over a session of its own, so that what the person selected stays
 * as it is.
 */
export class Catalog {
  readonly databases = signal<readonly string[]>([]);
  readonly place = signal<Place>({ database: '', branch: '' });
  /** Goes up whenever everything was read again, because a statement may have changed it. */
  readonly version = signal(0);
  readonly #queries: Queries;
  readonly #branchLists = new Map<string, Signal<Loaded<readonly BranchInfo[]> | undefined>>();
  readonly #tableLists = new Map<string, Signal<Loaded<readonly TableNode[]> | undefined>>();
  readonly #programLists = new Map<string, Signal<Loaded<readonly Program[]> | undefined>>();
  /** The counting of each list: another one takes its place when the list was read again. */
  readonly #counting = new Map<unknown, AbortController>();

  /** `opened` tells what to show until the schema is read, and when it cannot be. */
  constructor(queries: Queries, opened: { readonly name: string; readonly databases: readonly string[] }) {
    this.#queries = queries;
    this.databases.value = opened.databases;
    this.place.value = { database: opened.name, branch: '' };
  }

  close(): void {
    for (const abort of this.#counting.values()) abort.abort();
  }

  /** Branches of a database; starts reading them at the first call. */
  branches(database: string): ReadonlySignal<Loaded<readonly BranchInfo[]> | undefined> {
    return this.#started(this.#branchLists, database, list => load(list, () => loadBranches(this.#queries, database)));
  }

  tables(place: Place): ReadonlySignal<Loaded<readonly TableNode[]> | undefined> {
    return this.#started(this.#tableLists, keyOf(place), list => this.#readTables(place, list));
  }

  /** Procedures, triggers and events. */
  programs(place: Place): ReadonlySignal<Loaded<readonly Program[]> | undefined> {
    return this.#started(this.#programLists, keyOf(place), list =>
      load(list, () => loadPrograms(this.#queries, place)),
    );
  }

  readColumns(place: Place, table: TableNode): Promise<void> {
    return load(table.columns, () => loadColumns(this.#queries, place, table.name));
  }

  /** Asks `session` where it is, and reads again what may have changed. */
  async refresh(session: Queries): Promise<void> {
    const [databases, place] = await Promise.all([loadDatabases(this.#queries), loadPlace(session)]);
    batch(() => {
      this.version.value += 1;
      this.databases.value = databases;
      if (!isSamePlace(place, this.place.peek())) this.place.value = place;
    });
    const lists = [...this.#branchLists].map(([database, list]) =>
      load(list, () => loadBranches(this.#queries, database)),
    );
    const tables = [...this.#tableLists].map(([key, list]) => this.#readTables(placeOf(key), list));
    const programs = [...this.#programLists].map(([key, list]) =>
      load(list, () => loadPrograms(this.#queries, placeOf(key))),
    );
    await Promise.all([...lists, ...tables, ...programs]);
  }

  /** Only where the session is, which any statement may have changed. */
  async refreshPlace(session: Queries): Promise<void> {
    const place = await loadPlace(session);
    if (!isSamePlace(place, this.place.peek())) this.place.value = place;
  }

  #started<T>(
    lists: Map<string, Signal<Loaded<T> | undefined>>,
    key: string,
    read: (list: Signal<Loaded<T> | undefined>) => Promise<void>,
  ): Signal<Loaded<T> | undefined> {
    const known = lists.get(key);
    if (known !== undefined) return known;
    const list = signal<Loaded<T> | undefined>(undefined);
    lists.set(key, list);
    // Reading writes to signals, which must not happen during a render.
    queueMicrotask(() => void read(list));
    return list;
  }

  async #readTables(place: Place, list: Signal<Loaded<readonly TableNode[]> | undefined>): Promise<void> {
    const before = list.peek();
    const known = new Map(before?.kind === 'ready' ? before.value.map(node => [node.name, node]) : []);
    await load(list, async () => {
      const tables = await loadTables(this.#queries, place);
      return tables.map(
        ({ name, isView }) => known.get(name) ?? { name, isView, rowCount: signal(null), columns: signal(undefined) },
      );
    });
    const after = list.peek();
    // Counts arrive later.
    if (after?.kind === 'ready') void this.#fill(place, list, after.value);
  }

  /** Counts and columns come after the names, one table after the other, so that the tree is there at once. */
  async #fill(place: Place, list: unknown, nodes: readonly TableNode[]): Promise<void> {
    this.#counting.get(list)?.abort();
    const control = new AbortController();
    this.#counting.set(list, control);
    const { signal: abort } = control;
    for (const node of nodes) {
      if (node.isView) continue;
      const count = await countRows(this.#queries, place, node.name, abort).catch(() => undefined);
      if (abort.aborted) return;
      node.rowCount.value = count;
    }
    for (const node of nodes.slice(0, COLUMNS_AHEAD_MAX)) {
      if (!abort.aborted) await this.readColumns(place, node);
    }
  }
}

function keyOf({ database, branch }: Place): string {
  return `${database}/${branch}`;
}

function placeOf(key: string): Place {
  const slash = key.indexOf('/');
  return { database: key.slice(0, slash), branch: key.slice(slash + 1) };
}
