/** Target of a copy: a directory on disk. */
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type CopyTarget, type FileSink, VarveError } from '../../client/index.ts';
import { Aside } from './aside.ts';
import { UNFINISHED_MARK } from './databases_in.ts';

/**
 * A directory of the machine that databases are copied to; made when it is not there. Each database is there as a whole or not at all,
 * whenever the process is killed.
 */
export async function diskSink(target: CopyTarget): Promise<FileSink> {
  if (!('path' in target)) throw new VarveError('unsupported', 'Node copies to a path');
  const root = target.path;
  if (existsSync(root) && !statSync(root).isDirectory()) {
    throw new VarveError(
      'usage',
      `${root} is a file: copyTo writes into a directory, so name another one or move the file away`,
    );
  }
  const asides = new Map<string, Aside>();
  const asideOf = (name: string): Aside => {
    const known = asides.get(name);
    if (known !== undefined) return known;
    const made = new Aside(root, name);
    // Neither is a directory of databases, which native Dolt would take for one.
    if (name !== '.dolt') writeFileSync(made.place(UNFINISHED_MARK), '');
    asides.set(name, made);
    return made;
  };
  return {
    name: root,
    has: async name => existsSync(join(root, name)),
    async write(path, chunks) {
      const [top = '', ...below] = path.split('/');
      const aside = asideOf(top);
      const file = await open(aside.place(below.join('/')), 'wx');
      try {
        for await (const chunk of chunks) {
          await file.writeFile(chunk);
          aside.touch();
        }
        await file.sync();
      } finally {
        await file.close();
      }
    },
    async finish() {
      for (const [name, aside] of asides) {
        if (existsSync(join(root, name))) {
          throw new VarveError(
            'usage',
            `${root} has a ${name} by now. copyTo replaces nothing: copy to another directory`,
          );
        }
        aside.finish([UNFINISHED_MARK]);
      }
    },
    async abandon() {
      for (const aside of asides.values()) aside.abandon();
    },
  };
}
