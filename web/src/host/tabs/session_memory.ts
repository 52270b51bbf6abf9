import type { ExecuteRequest } from '../../protocol/index.ts';

/** What brings a session's settings back: more statements than anybody gives one. */
const SETUP_MAX = 1000;

type Statement = Pick<ExecuteRequest, 'params'> & { readonly sql: string };

const NAME = '(?:`[^`]+`|[\\w$]+)';
const CREATES_TEMPORARY = new RegExp(
  String.raw`^\s*CREATE\s+TEMPORARY\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(?:${NAME}\s*\.\s*)?(${NAME})`,
  'i',
);
const DROPS = /^\s*DROP\s+(TEMPORARY\s+)?TABLE\s+(?:IF\s+EXISTS\s+)?([\s\S]+)/i;
const CONSTANT = String.raw`(?:[\w.+-]+|'[^'\\]*')`;
const ASSIGNMENT = String.raw`(?:SESSION\s+|LOCAL\s+)?@{0,2}[\w.]+\s*:?=\s*${CONSTANT}`;
const SETS_CONSTANTS = new RegExp(String.raw`^SET\s+${ASSIGNMENT}(?:\s*,\s*${ASSIGNMENT})*\s*;?\s*$`, 'i');
/** What may stand before a statement. */
const COMMENTS = /^(?:\s|--\s[^\n]*(?:\n|$)|#[^\n]*(?:\n|$)|\/\*[^!][\s\S]*?\*\/)+/;
/** Before the name of a table. */
const BEFORE_TABLE = String.raw`\b(?:FROM|JOIN|INTO|UPDATE|TABLE|DESC|DESCRIBE|REPLACE|INSERT)`;

/**
 * What a session would lose with the tab that serves it: where it stands, which the engine tells; its variables and what it prepared,
 * which are brought back by the statements that set them; a transaction and its temporary tables, which are not.
 */
export class SessionMemory {
  /** As the engine told it last; undefined where sessions begin. */
  place: string | undefined;
  setup: Statement[] = [];
  isInTransaction = false;
  /** Settings that could not be brought back, until somebody is told. */
  #unrestored: string | null = null;
  #isAutocommit = true;
  #isRestarted = false;
  /** Names of temporary tables and, with their @, of variables that a query has set. */
  readonly #held = new Set<string>();
  readonly #lost = new Set<string>();

  /** A statement that worked. */
  note({ sql: text, params }: Statement): void {
    const sql = text.replace(COMMENTS, '');
    if (/^\s*(START\s+TRANSACTION|BEGIN)\b/i.test(sql)) this.isInTransaction = true;
    else if (/^\s*(COMMIT|ROLLBACK)\b(?!\s+TO\b)/i.test(sql)) this.isInTransaction = !this.#isAutocommit;
    const autocommit = /^\s*SET\b.*\bautocommit\s*=\s*(\w+)/is.exec(sql)?.[1];
    if (autocommit !== undefined) {
      this.#isAutocommit = !/^(0|off|false)$/i.test(autocommit);
      this.isInTransaction = !this.#isAutocommit;
    }
    this.#noteHeld(sql);
    if (!/^(SET|PREPARE|DEALLOCATE|DROP\s+PREPARE)\b/i.test(sql)) return;
    // What is set time and again, as around each merge, is set once, where nothing between looks at it.
    const before = this.setup.findLastIndex(known => known.sql === sql);
    if (before >= 0 && this.setup.slice(before).every(known => SETS_CONSTANTS.test(known.sql)))
      this.setup.splice(before, 1);
    this.setup.push({ sql, params });
    if (this.setup.length > SETUP_MAX) this.notRestored(this.setup.shift()?.sql ?? '');
  }

  /** What a statement had set cannot be brought back. */
  notRestored(sql: string): void {
    this.#unrestored ??= `what "${sql.length > 60 ? `${sql.slice(0, 60)}…` : sql}" had set`;
  }

  /** A piece of a script: what it has set, and not committed yet, cannot be brought back. */
  noteScript(): void {
    this.isInTransaction = true;
  }

  /** The session begins anew where another one stands. */
  renew(beside: SessionMemory | undefined): void {
    this.place = beside?.place;
    this.setup = [];
    this.#unrestored = null;
    this.isInTransaction = false;
    this.#isAutocommit = true;
    this.#held.clear();
    this.#lost.clear();
  }

  /** The session was made anew: its transaction is gone. */
  restart(): void {
    this.#isRestarted = true;
    this.isInTransaction = !this.#isAutocommit;
    for (const name of this.#held) this.#lost.add(name);
    this.#held.clear();
  }

  /**
   * What a statement is about to use that went with the tab that served the session; undefined when there is nothing of it. It
   * stays missing until it is made again: a table of the database with the same name must not answer in its place.
   */
  missing(sql: string): string | undefined {
    if (this.#isRestarted && this.#unrestored !== null) {
      const unrestored = this.#unrestored;
      this.#unrestored = null;
      return unrestored;
    }
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
