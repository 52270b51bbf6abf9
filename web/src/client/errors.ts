/** The errors of the package: `SqlError` for failed statements, `VarveError` for everything else. */
import type { Failure, FailureCode } from '../protocol/index.ts';

/** A statement failed: MySQL's error number, SQLSTATE and message. */
export class SqlError extends Error {
  override readonly name = 'SqlError';
  readonly errno: number;
  readonly sqlstate: string;
  /** UTF-16 offset in the statement, for syntax errors and unknown names. */
  readonly position: number | undefined;
  /** What to do about it, where the message, which is Dolt's, does not say it. */
  readonly hint: string | undefined;

  constructor(errno: number, sqlstate: string, message: string, position?: number, hint?: string) {
    super(message);
    this.errno = errno;
    this.sqlstate = sqlstate;
    this.position = position;
    this.hint = hint;
  }
}

/** Something other than SQL failed: the source, the environment, or the engine itself. */
export class VarveError extends Error {
  override readonly name = 'VarveError';
  readonly code: FailureCode;

  constructor(code: FailureCode, message: string) {
    super(message);
    this.code = code;
  }
}

export function errorOf(failure: Failure): SqlError | VarveError {
  if (failure.kind === 'sql') {
    const { errno, sqlstate, message, position, hint } = failure;
    return new SqlError(errno, sqlstate, message, position ?? undefined, hint ?? undefined);
  }
  return new VarveError(failure.code, failure.message);
}
