import { existsSync, mkdirSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type CopyTarget, type FileSink, VarveError } from '../client/index.ts';

/** A directory of the machine that a database is copied to; made when it is not there. */
export async function diskSink(target: CopyTarget): Promise<FileSink> {
  if (!('path' in target)) throw new VarveError('unsupported', 'Node copies to a path');
  const root = target.path;
  if (existsSync(root) && !statSync(root).isDirectory()) {
    throw new VarveError(
      'usage',
      `${root} is a file: copyTo writes into a directory, so name another one or move the file away`,
    );
  }
  return {
    name: root,
    has: async name => existsSync(join(root, name)),
    async write(path, chunks) {
      const found = join(root, path);
      mkdirSync(dirname(found), { recursive: true });
      const file = await open(found, 'wx').catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
        throw new VarveError(
          'usage',
          `${found} is there already. copyTo replaces nothing: copy to another directory, or move the file away first`,
        );
      });
      try {
        for await (const chunk of chunks) await file.writeFile(chunk);
        await file.sync();
      } finally {
        await file.close();
      }
    },
  };
}
