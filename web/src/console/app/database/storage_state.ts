/** Whether the files of the database were removed while it is open. */
import { signal } from '@preact/signals';
import { SqlError, VarveError } from '../../../lib/index.ts';

/** MySQL's ER_FILE_NOT_FOUND. */
const FILES_GONE = 1017;

/** Whether the files of the open database were removed while it was open. */
export const isGone = signal(false);

/** To be told of every error of a statement. */
export function noteFailure(error: unknown): void {
  if (error instanceof SqlError ? error.errno === FILES_GONE : error instanceof VarveError && error.code === 'gone') {
    isGone.value = true;
  }
}
