import type { Failure, FailureCode } from '../protocol/index.ts';

/** A statement failed: MySQL's error number, SQLSTATE and message. */
export class SqlError extends Error {
  override readonly name = 'SqlError';
  readonly errno: number;
  readonly sqlstate: string;
  /** UTF-16 offset in the statement, for syntax errors and unknown names. */
  readonly position: number | undefined;

  constructor(errno: number, sqlstate: string, message: string, position?: number) {
    super(message);
    this.errno = errno;
    this.sqlstate = sqlstate;
    this.position = position;
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
    return new SqlError(failure.errno, failure.sqlstate, failure.message, failure.position ?? undefined);
  }
  return new VarveError(failure.code, failure.message);
}
