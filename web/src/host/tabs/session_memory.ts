import type { ExecuteRequest } from '../../protocol/index.ts';

/** What brings a session back to where it was: more statements than anybody gives one. */
const SETUP_MAX = 100;

type Statement = Pick<ExecuteRequest, 'params'> & { readonly sql: string };

const NAME = '(?:`[^`]+`|[\\w$]+)';
const CREATES_TEMPORARY = new RegExp(
  String.raw`^\s*CREATE\s+TEMPORARY\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(?:${NAME}\s*\.\s*)?(${NAME})`,
  'i',
);
const DROPS = /^\s*DROP\s+(TEMPORARY\s+)?TABLE\s+(?:IF\s+EXISTS\s+)?([\s\S]+)/i;
/** What says where a session stands. One that makes a branch is not made again. */
const PLACES = /^\s*(?:USE\b|CALL\s+dolt_checkout\s*\((?![^)]*-b))/i;
/** Before the name of a table. */
const BEFORE_TABLE = String.raw`\b(?:FROM|JOIN|INTO|UPDATE|TABLE|DESC|DESCRIBE|REPLACE|INSERT)`;

/**
 * What a session would lose with the tab that serves it: where it stands, its variables and what it prepared, which are brought
 * back by the statements that set them; a transaction and its temporary tables, which are not.
 */
export class SessionMemory {
  setup: Statement[] = [];
  isInTransaction = false;
  #isAutocommit = true;
  /** Names of temporary tables and, with their @, of variables that a query has set. */
  readonly #held = new Set<string>();
  readonly #lost = new Set<string>();

  /** A statement that worked. */
  note({ sql, params }: Statement): void {
    if (/^\s*(START\s+TRANSACTION|BEGIN)\b/i.test(sql)) this.isInTransaction = true;
    else if (/^\s*(COMMIT|ROLLBACK)\b(?!\s+TO\b)/i.test(sql)) this.isInTransaction = !this.#isAutocommit;
    const autocommit = /^\s*SET\b.*\bautocommit\s*=\s*(\w+)/is.exec(sql)?.[1];
    if (autocommit !== undefined) {
      this.#isAutocommit = !/^(0|off|false)$/i.test(autocommit);
      this.isInTransaction = !this.#isAutocommit;
    }
    const isPlace = PLACES.test(sql);
    const isPrepared = /^\s*(PREPARE|DEALLOCATE|DROP\s+PREPARE)\b/i.test(sql);
    this.#noteHeld(sql);
    if (!isPlace && !isPrepared && !/^\s*SET\b/i.test(sql)) return;
    this.setup.push({ sql, params });
    if (this.setup.length > SETUP_MAX) this.setup.shift();
  }

  /** A piece of a script: what it has set, and not committed yet, cannot be brought back. */
  noteScript(): void {
    this.isInTransaction = true;
  }

  /** The session begins anew where another one stands. */
  renew(beside: SessionMemory | undefined): void {
    this.setup = (beside?.setup ?? []).filter(({ sql }) => PLACES.test(sql));
    this.isInTransaction = false;
    this.#isAutocommit = true;
    this.#held.clear();
    this.#lost.clear();
  }

  /** The session was made anew: its transaction is gone. */
  restart(): void {
    this.isInTransaction = !this.#isAutocommit;
    for (const name of this.#held) this.#lost.add(name);
    this.#held.clear();
  }

  /**
   * What a statement is about to use that went with the tab that served the session; undefined when there is nothing of it. It
   * stays missing until it is made again: a table of the database with the same name must not answer in its place.
   */
  missing(sql: string): string | undefined {
    if (this.#lost.size === 0) return undefined;
    const created = CREATES_TEMPORARY.exec(sql)?.[1];
    if (created !== undefined) {
      this.#lost.delete(bare(created));
      return undefined;
    }
    const dropped = DROPS.exec(sql);
    if (dropped !== null) {
      const gone = (dropped[2] ?? '')
        .split(',')
        .map(bare)
        .filter(name => this.#lost.delete(name));
      return gone.length === 0 || dropped[1] !== undefined ? undefined : `the temporary table \`${gone[0]}\``;
    }
    const plain = sql.replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, "''");
    for (const name of this.#lost) {
      if (name.startsWith('@')) {
        const set = new RegExp(String.raw`(?:^\s*SET\b|,)\s*${name}\s*:?=`, 'i');
        if (/^\s*SET\b/i.test(plain) && set.test(plain)) this.#lost.delete(name);
        else if (new RegExp(`${name}(?![\\w$])`, 'i').test(plain)) return `the variable ${name}`;
        continue;
      }
      const quoted = name.replace(/[$]/g, '\\$&');
      const used = new RegExp(`${BEFORE_TABLE}\\s+(?:${NAME}\\s*\\.\\s*)?\`?${quoted}\`?(?![\\w$.])`, 'i');
      if (used.test(plain)) return `the temporary table \`${name}\``;
    }
    return undefined;
  }

  /** The engine did not find a table: whether it is one that went with the tab. */
  isLost(table: string): boolean {
    return this.#lost.has(bare(table));
  }

  #noteHeld(sql: string): void {
    const created = CREATES_TEMPORARY.exec(sql)?.[1];
    if (created !== undefined) this.#held.add(bare(created));
    const dropped = DROPS.exec(sql)?.[2];
    for (const name of dropped?.split(',') ?? []) this.#held.delete(bare(name));
    if (/^\s*SET\b/i.test(sql)) {
      for (const [, name] of sql.matchAll(/(@[\w$]+)\s*:?=/g)) this.#held.delete(name?.toLowerCase() ?? '');
      return;
    }
    const into = /\bINTO\s+(@[\w$]+(?:\s*,\s*@[\w$]+)*)/i.exec(sql)?.[1];
    for (const name of into?.split(',') ?? []) this.#held.add(name.trim().toLowerCase());
    for (const [, name] of sql.matchAll(/(@[\w$]+)\s*:=/g)) this.#held.add(name?.toLowerCase() ?? '');
  }
}

/** A name without its quotes and database, as names are compared. */
function bare(name: string): string {
  const last =
    name
      .trim()
      .replace(/\s+(RESTRICT|CASCADE)$/i, '')
      .split('.')
      .at(-1) ?? '';
  return last.trim().replace(/^`|`$/g, '').replace(/;$/, '').toLowerCase();
}
