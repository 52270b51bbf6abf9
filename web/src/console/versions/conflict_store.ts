import { computed, signal } from '@preact/signals';
import type { Conflict, Database, Row } from '../../lib/index.ts';
import { GEOMETRY_TYPE } from '../sql/geometry.ts';
import { quoteName } from '../sql/names.ts';
import { type Choice, cellState, columnsOf, resolutionOf, textsWith } from './conflict.ts';

/** Conflicts that are held at once; the next come when these are resolved. */
const CONFLICTS_MAX = 5000;

/** The conflicts of one table, and what was chosen for them so far. */
export class ConflictStore {
  readonly table: string;
  readonly conflicts = signal<readonly Conflict[]>([]);
  /** Of the table's primary key. */
  readonly keys = signal<ReadonlySet<string>>(new Set());
  private readonly geometries = signal<ReadonlySet<string>>(new Set());
  readonly textOf = computed(() => textsWith(this.geometries.value));
  readonly columns = computed(() => {
    const [first] = this.conflicts.value;
    return first === undefined ? [] : columnsOf(first);
  });
  /** The key, and what any of the conflicts is about: other columns say nothing. */
  readonly tellingColumns = computed(() => {
    const conflicts = this.conflicts.value;
    const keys = this.keys.value;
    return this.columns.value.filter(
      column => keys.has(column) || conflicts.some(conflict => cellState(conflict, column) !== 'same'),
    );
  });
  readonly choices = signal<ReadonlyMap<string, Choice>>(new Map());
  readonly isLoading = signal(true);
  readonly isClipped = signal(false);
  readonly error = signal<string | undefined>(undefined);
  private readonly database: Database;
  private readonly abort = new AbortController();

  constructor(database: Database, table: string) {
    this.database = database;
    this.table = table;
  }

  close(): void {
    this.abort.abort();
  }

  /** Reads what is left. Choices for conflicts that are still there stay. */
  async read(): Promise<void> {
    const { signal } = this.abort;
    this.isLoading.value = true;
    try {
      const shown = await this.database.query(`SHOW COLUMNS FROM ${quoteName(this.table)}`, [], { signal });
      this.keys.value = new Set(shown.rows.filter(row => row.Key === 'PRI').map(row => String(row.Field)));
      const isGeometry = (row: Row) => GEOMETRY_TYPE.test(String(row.Type));
      this.geometries.value = new Set(shown.rows.filter(isGeometry).map(row => String(row.Field)));
      const found: Conflict[] = [];
      this.isClipped.value = false;
      for await (const conflict of this.database.conflicts(this.table, { signal })) {
        if (found.length === CONFLICTS_MAX) {
          this.isClipped.value = true;
          break;
        }
        found.push(conflict);
      }
      const ids = new Set(found.map(({ id }) => id));
      this.choices.value = new Map([...this.choices.peek()].filter(([id]) => ids.has(id)));
      this.conflicts.value = found;
      this.error.value = undefined;
    } catch (error) {
      if (!signal.aborted) this.error.value = error instanceof Error ? error.message : String(error);
    } finally {
      this.isLoading.value = false;
    }
  }

  /** The same choice again takes it back. */
  choose(id: string, choice: Choice | undefined): void {
    const next = new Map(this.choices.peek());
    if (choice === undefined) next.delete(id);
    else next.set(id, choice);
    this.choices.value = next;
  }

  /** For those that have no choice yet. */
  chooseRest(kind: 'ours' | 'theirs'): void {
    const next = new Map(this.choices.peek());
    for (const { id } of this.conflicts.peek()) if (!next.has(id)) next.set(id, { kind });
    this.choices.value = next;
  }

  /** Puts the choices into the database. */
  async resolve(): Promise<void> {
    const choices = this.choices.peek();
    const resolutions = this.conflicts.peek().flatMap(conflict => {
      const choice = choices.get(conflict.id);
      return choice === undefined ? [] : [resolutionOf(conflict, choice)];
    });
    await this.database.resolveRows(this.table, resolutions);
    await this.read();
  }
}
