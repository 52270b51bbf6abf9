/** The conflicts of a table, loaded in pages, with the choices made. */
import { computed, signal } from '@preact/signals';
import type { Conflict, Database, Param, Resolution, Row } from '../../../lib/index.ts';
import { generatedColumnsOf } from '../../sql/generated_columns.ts';
import { quoteName } from '../../sql/names.ts';
import { isText, literal } from '../../sql/values.ts';
import { messageOf } from '../../ui/message_of.ts';
import {
  type Choice,
  cellState,
  columnsOf,
  type Field,
  type Fields,
  firstProblem,
  textsWith,
  writtenValues,
} from './conflict.ts';

/** Conflicts that are held at once; the next come when these are resolved. */
const CONFLICTS_MAX = 5000;

/** The conflicts of one table, and what was chosen for them so far. */
export class ConflictStore {
  readonly table: string;
  readonly conflicts = signal<readonly Conflict[]>([]);
  readonly fields = signal<Fields>(new Map());
  /** Of the table's primary key. */
  readonly keys = computed(
    () => new Set([...this.fields.value].filter(([, field]) => field.isKey).map(([name]) => name)),
  );
  readonly textOf = computed(() => textsWith(this.fields.value));
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
  readonly #database: Database;
  readonly #abort = new AbortController();

  constructor(database: Database, table: string) {
    this.#database = database;
    this.table = table;
  }

  close(): void {
    this.#abort.abort();
  }

  /** Reads what is left. Choices for conflicts that are still there stay. */
  async read(): Promise<void> {
    const { signal } = this.#abort;
    this.isLoading.value = true;
    try {
      const name = quoteName(this.table);
      const shown = await this.#database.query(`SHOW COLUMNS FROM ${name}`, [], { signal });
      const generated = await generatedColumnsOf(this.#database, name, { signal });
      this.fields.value = new Map(shown.rows.map(row => [String(row.Field), fieldOf(row, generated)]));
      const found: Conflict[] = [];
      this.isClipped.value = false;
      for await (const conflict of this.#database.conflicts(this.table, { signal })) {
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
      if (!signal.aborted) this.error.value = messageOf(error);
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
    const resolutions: Resolution[] = [];
    for (const conflict of this.conflicts.peek()) {
      const choice = choices.get(conflict.id);
      if (choice !== undefined) resolutions.push(await this.#resolutionOf(conflict, choice));
    }
    await this.#database.resolveRows(this.table, resolutions);
    await this.read();
  }

  async #resolutionOf(conflict: Conflict, choice: Choice): Promise<Resolution> {
    const { id } = conflict;
    if (choice.kind !== 'edited') return { id, take: choice.kind };
    const problem = firstProblem(choice.values, this.fields.peek());
    if (problem !== undefined) throw new Error(problem);
    const written = writtenValues(conflict, choice.values, this.fields.peek());
    const row: Record<string, Param> = {};
    for (const [column, text] of written) row[column] = await this.#valueOf(column, text);
    return written.length === 0 ? { id, take: 'ours' } : { id, row };
  }

  /** The database reads what is no text, such as `POINT(1 2)`. */
  async #valueOf(column: string, text: string | null): Promise<Param> {
    const field = this.fields.peek().get(column);
    if (text === null || field === undefined || isText(field.type)) return text;
    const { rows } = await this.#database.query(`SELECT ${literal(field.type, text)} AS value`);
    return rows[0]?.value ?? null;
  }
}

function fieldOf(row: Row, generated: ReadonlySet<string>): Field {
  return {
    type: String(row.Type),
    isNullable: row.Null === 'YES',
    isKey: row.Key === 'PRI',
    isGenerated: generated.has(String(row.Field)),
  };
}
