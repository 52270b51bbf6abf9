import type { ExecuteRequest } from '../../protocol/index.ts';

/** What brings a session back to where it was: more statements than anybody gives one. */
const SETUP_MAX = 100;

type Statement = Pick<ExecuteRequest, 'params'> & { readonly sql: string };

/**
 * What a session would lose with the tab that serves it: where it stands and its variables, which are brought back by the
 * statements that set them; a transaction, which is not.
 */
export class SessionMemory {
  readonly setup: Statement[] = [];
  isInTransaction = false;
  #isAutocommit = true;

  /** A statement that worked. */
  note({ sql, params }: Statement): void {
    if (/^\s*(START\s+TRANSACTION|BEGIN)\b/i.test(sql)) this.isInTransaction = true;
    else if (/^\s*(COMMIT|ROLLBACK)\b(?!\s+TO\b)/i.test(sql)) this.isInTransaction = !this.#isAutocommit;
    const autocommit = /^\s*SET\b.*\bautocommit\s*=\s*(\w+)/is.exec(sql)?.[1];
    if (autocommit !== undefined) {
      this.#isAutocommit = !/^(0|off|false)$/i.test(autocommit);
      this.isInTransaction = !this.#isAutocommit;
    }
    // One that makes a branch is not made again.
    const isPlace = /^\s*USE\b/i.test(sql) || /^\s*CALL\s+dolt_checkout\s*\((?![^)]*-b)/i.test(sql);
    if (!isPlace && !/^\s*SET\b/i.test(sql)) return;
    this.setup.push({ sql, params });
    if (this.setup.length > SETUP_MAX) this.setup.shift();
  }

  /** The session was made anew: its transaction is gone. */
  restart(): void {
    this.isInTransaction = !this.#isAutocommit;
  }
}
