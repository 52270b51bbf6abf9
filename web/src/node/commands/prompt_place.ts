/** The prompt of the shell: database and branch. */
import type { Database, Session } from '../../client/index.ts';
import { quoteName } from '../../client/versions/versions.ts';

/** Statements that may lead elsewhere: only after these the session itself is asked, for that forgets FOUND_ROWS() and warnings. */
const MOVES = /\b(?:USE|CALL|DATABASE|EXECUTE|PREPARE)\b/i;

/** The prompt of the shell, as native Dolt's: the database, its branch, and a star where something is not committed. */
export class PromptPlace {
  words = 'varve';
  readonly #database: Database;
  /** Asked for changes, so that the person's own session stays as it is. */
  #beside: Session | undefined;
  #name: string | undefined;
  #branch: string | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  async after(script: string): Promise<void> {
    await (MOVES.test(script) ? this.read() : this.#write());
  }

  async read(): Promise<void> {
    const [here] = (await this.#database.query('SELECT DATABASE() AS name')).rows;
    this.#name = typeof here?.name === 'string' ? here.name.split('/')[0] : undefined;
    // A branch that another process has deleted is an error.
    const at = await this.#database.query('SELECT ACTIVE_BRANCH() AS branch').catch(() => undefined);
    const branch = at?.rows[0]?.branch;
    this.#branch = typeof branch === 'string' ? branch : undefined;
    await this.#write();
  }

  async close(): Promise<void> {
    await this.#beside?.close();
  }

  async #write(): Promise<void> {
    const place = [this.#name, this.#branch].filter(word => word !== undefined).join('/');
    this.words = place === '' ? 'varve' : `${place}${(await this.#hasChanges(place)) ? '*' : ''}`;
  }

  async #hasChanges(place: string): Promise<boolean> {
    if (this.#branch === undefined || this.#database.storage.readOnly) return false;
    this.#beside ??= await this.#database.session();
    const sql = `SELECT 1 FROM ${quoteName(place)}.dolt_status LIMIT 1`;
    // A branch that another session has just deleted has none.
    return (await this.#beside.query(sql).catch(() => undefined))?.rowCount === 1;
  }
}
