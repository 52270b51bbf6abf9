import { existsSync, mkdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type CopyTarget, type FileSink, VarveError } from '../client/index.ts';

/** A directory of the machine that a database is copied to; made when it is not there. */
export async function diskSink(target: CopyTarget): Promise<FileSink> {
  if (!('path' in target)) throw new VarveError('unsupported', 'Node copies to a path');
  const root = target.path;
  return {
    has: async name => existsSync(join(root, name)),
    async write(path, chunks) {
      const found = join(root, path);
      mkdirSync(dirname(found), { recursive: true });
      const file = await open(found, 'wx');
      try {
        for await (const chunk of chunks) await file.writeFile(chunk);
        await file.sync();
      } finally {
        await file.close();
      }
    },
  };
}
