/** Retries of a write that has to wait for the host. */
import { type DirectoryWrites, FileFault } from './file.ts';

/** Makes a call again until nothing has to be prepared for it, as the scheduler does. */
export async function settled<T>(writes: DirectoryWrites, call: () => T): Promise<T> {
  for (;;) {
    try {
      return call();
    } catch (error) {
      if (!(error instanceof FileFault) || error.kind !== 'wait') throw error;
      await writes.prepare();
    }
  }
}

/** Waits for the right to write. */
export async function taken(writes: DirectoryWrites): Promise<void> {
  while (!writes.take()) await writes.prepare();
}
