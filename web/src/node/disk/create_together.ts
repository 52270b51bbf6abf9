/** Creation of a directory with its files, all or nothing. */
import { writeFileSync } from 'node:fs';
import { Aside } from './aside.ts';

/**
 * Makes a directory of files as one step, which a kill or a crash of the machine leaves done or undone.
 *
 * @param parent is made if it is not there
 * @param name of the directory in `parent`; not there yet
 * @param contents by path below `parent`, all of them below `name`
 */
export function createTogether(parent: string, name: string, contents: Readonly<Record<string, Uint8Array>>): void {
  const aside = new Aside(parent, name);
  try {
    for (const [path, bytes] of Object.entries(contents)) {
      if (!path.startsWith(`${name}/`)) throw new Error(`${path} is not below ${name}`);
      writeFileSync(aside.place(path.slice(name.length + 1)), bytes, { flush: true });
    }
    aside.finish();
  } catch (error) {
    aside.abandon();
    throw error;
  }
}
