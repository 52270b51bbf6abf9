/** Single conflicts of a merge, resolved in SQL. */
import { checkArgument, checkOptions } from '../checked.ts';
import { VarveError } from '../errors.ts';
import { generatedColumnsOf } from '../generated_columns.ts';
import type { Param, Queries, StatementOptions } from '../types.ts';
import type { Resolution } from './version_types.ts';
import { keepingConflicts, quoteName } from './versions.ts';

/** Conflicts that one statement resolves: each statement reads the table of conflicts once. */
const STATEMENT_CONFLICTS = 1000;

/** @throws VarveError `usage` for what says no end of a conflict. */
export function checkResolutions(resolutions: unknown): asserts resolutions is readonly Resolution[] {
  checkArgument('resolveRows', 'resolutions', resolutions, 'array');
  for (const [index, resolution] of (resolutions as unknown[]).entries()) {
    const call = `resolveRows: resolution ${index + 1}`;
    checkOptions(call, resolution, { id: 'text', take: ['ours', 'theirs'] }, ['id']);
    const { take, row } = resolution as { readonly take?: unknown; readonly row?: unknown };
    if (take === undefined && row !== null) checkArgument(call, 'row', row, 'object');
  }
}

/** @param session of its own: a transaction runs in it. */
export async function resolveRows(
  session: Queries,
  table: string,
  resolutions: readonly Resolution[],
  options: StatementOptions = {},
): Promise<void> {
  if (resolutions.length === 0) return;
  await keepingConflicts(session, async () => {
    await session.query('START TRANSACTION');
    try {
      const resolver = await Resolver.of(session, table, options);
      for (const resolution of resolutions) if ('row' in resolution) await resolver.put(resolution.id, resolution.row);
      const theirs = resolutions.filter(resolution => 'take' in resolution && resolution.take === 'theirs');
      for (const ids of chunks(theirs)) await resolver.takeTheirs(ids);
      for (const ids of chunks(resolutions)) await resolver.forget(ids);
      await session.query('COMMIT');
    } catch (error) {
      await session.query('ROLLBACK').catch(() => {});
      throw error;
    }
  });
}

class Resolver {
  readonly #session: Queries;
  readonly #options: StatementOptions;
  readonly #table: string;
  readonly #conflicts: string;
  readonly #columns: readonly string[];
  readonly #key: readonly string[];

  private constructor(
    session: Queries,
    table: string,
    columns: readonly string[],
    key: readonly string[],
    options: StatementOptions,
  ) {
    this.#session = session;
    this.#options = options;
    this.#table = quoteName(table);
    this.#conflicts = quoteName(`dolt_conflicts_${table}`);
    this.#columns = columns;
    this.#key = key;
  }

  static async of(session: Queries, table: string, options: StatementOptions): Promise<Resolver> {
    const { rows } = await session.query(`SHOW COLUMNS FROM ${quoteName(table)}`, [], options);
    const generated = await generatedColumnsOf(session, quoteName(table), options);
    const key = rows.filter(row => row.Key === 'PRI').map(row => String(row.Field));
    if (key.length === 0)
      throw new VarveError('unsupported', `${table} has no primary key: take one side of all of it`);
    const columns = rows.map(row => String(row.Field)).filter(name => !generated.has(name));
    return new Resolver(session, table, columns, key, options);
  }

  /** Our row becomes theirs. */
  async takeTheirs(ids: readonly string[]): Promise<void> {
    const theirs = this.#columns.map(name => quoteName(`their_${name}`));
    const where = (condition: string) => `WHERE dolt_conflict_id IN (${marks(ids.length)}) AND ${condition}`;
    const both = where("our_diff_type <> 'removed' AND their_diff_type <> 'removed'");
    const set = this.#columns.map((name, index) => `${quoteName(`our_${name}`)} = ${theirs[index]}`).join(', ');
    await this.#run(`UPDATE ${this.#conflicts} SET ${set} ${both}`, ids);
    const names = this.#columns.map(quoteName).join(', ');
    const back = where("our_diff_type = 'removed' AND their_diff_type <> 'removed'");
    await this.#run(
      `INSERT INTO ${this.#table} (${names}) SELECT ${theirs.join(', ')} FROM ${this.#conflicts} ${back}`,
      ids,
    );
    const ourKey = this.#key.map(name => quoteName(`our_${name}`)).join(', ');
    const gone = where("their_diff_type = 'removed' AND our_diff_type <> 'removed'");
    const found = await this.#run(`SELECT ${ourKey} FROM ${this.#conflicts} ${gone}`, ids);
    for (const key of found.rowArrays()) await this.#remove(key);
  }

  /** Our row becomes this one. */
  async put(id: string, row: Readonly<Record<string, Param>> | null): Promise<void> {
    const ours = [...this.#key.map(name => quoteName(`our_${name}`)), 'our_diff_type'].join(', ');
    const sql = `SELECT ${ours} FROM ${this.#conflicts} WHERE dolt_conflict_id = ?`;
    const [found] = (await this.#run(sql, [id])).rowArrays();
    if (found === undefined) throw new VarveError('usage', `There is no conflict ${id}`);
    const isOurs = found.pop() !== 'removed';
    if (row === null) {
      if (isOurs) await this.#remove(found);
      return;
    }
    const names = Object.keys(row);
    const values = Object.values(row);
    if (isOurs) {
      const set = names.map(name => `${quoteName(`our_${name}`)} = ?`).join(', ');
      await this.#run(`UPDATE ${this.#conflicts} SET ${set} WHERE dolt_conflict_id = ?`, [...values, id]);
    } else {
      const columns = names.map(quoteName).join(', ');
      await this.#run(`INSERT INTO ${this.#table} (${columns}) VALUES (${marks(names.length)})`, values);
    }
  }

  /** Keeps the row of the table. */
  async forget(ids: readonly string[]): Promise<void> {
    await this.#run(`DELETE FROM ${this.#conflicts} WHERE dolt_conflict_id IN (${marks(ids.length)})`, ids);
  }

  async #remove(key: readonly Param[]): Promise<void> {
    const where = this.#key.map(name => `${quoteName(name)} = ?`).join(' AND ');
    await this.#run(`DELETE FROM ${this.#table} WHERE ${where}`, key);
  }

  #run(sql: string, params: readonly Param[]) {
    return this.#session.query(sql, params, this.#options);
  }
}

function marks(count: number): string {
  return new Array(count).fill('?').join(', ');
}

function* chunks(resolutions: readonly Resolution[]): Iterable<string[]> {
  for (let start = 0; start < resolutions.length; start += STATEMENT_CONFLICTS) {
    yield resolutions.slice(start, start + STATEMENT_CONFLICTS).map(({ id }) => id);
  }
}
