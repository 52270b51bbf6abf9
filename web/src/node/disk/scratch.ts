/** Temporary files in Node. */
import { mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileFault } from '../../host/files/file.ts';
import type { ScratchStore } from '../../host/files/scratch.ts';

/** A file in the directory for temporary files, created at the first write. */
export function diskScratchStore(): ScratchStore {
  let descriptor = -1;
  return {
    read(offset, dest) {
      for (let done = 0; done < dest.length; ) {
        const bytes = readSync(descriptor, dest, done, dest.length - done, offset + done);
        if (bytes === 0) throw new FileFault('host', 'a temporary file is cut off');
        done += bytes;
      }
    },
    write(offset, bytes) {
      if (descriptor < 0) descriptor = openScratch();
      for (let done = 0; done < bytes.length; ) {
        done += writeSync(descriptor, bytes, done, bytes.length - done, offset + done);
      }
    },
  };
}

/** Its directory goes with the process. Where open files can be removed nothing is left even after a crash. */
function openScratch(): number {
  const directory = mkdtempSync(join(tmpdir(), 'varve-'));
  const descriptor = openSync(join(directory, 'scratch'), 'w+');
  const remove = (): void => {
    try {
      rmSync(directory, { recursive: true, force: true });
    } catch {
      // On Windows the file is open until the process is gone; the system empties the directory some day.
    }
  };
  remove();
  process.once('exit', remove);
  return descriptor;
}
