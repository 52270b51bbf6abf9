/** Names in archives: which are refused, and one spelling for each path. */
import type { Unpacking } from './unpacking.ts';

/** PATH_MAX of Linux. */
const PATH_LENGTH_MAX = 4096;

interface Node {
  /** The name as it was first written. */
  readonly name: string;
  /** Of a directory; absent for a file. */
  readonly children?: Map<string, Node>;
}

/**
 * Takes the names of an archive's entries one after the other. Refuses those that lead out of the archive, and those that are one
 * path on some system: the same name twice, names that differ by case or normalisation, a file that is a directory as well.
 */
export class ArchiveNames {
  readonly #unpacking: Unpacking;
  readonly #root = new Map<string, Node>();

  constructor(unpacking: Unpacking) {
    this.#unpacking = unpacking;
  }

  /**
   * Gives the path with `/`, without `./` at its beginning; empty for the top directory.
   *
   * @param raw with `/` at its end for a directory.
   */
  take(raw: string, at: number): string {
    // Windows programs write backslashes; a file of a database has none in its name.
    const slashed = raw.replaceAll('\\', '/');
    const segments = this.#segmentsOf(raw, slashed, at);
    const isDirectory = slashed.endsWith('/');
    let level = this.#root;
    for (const [index, name] of segments.entries()) {
      const isFile = index === segments.length - 1 && !isDirectory;
      const key = name.normalize('NFC').toLowerCase();
      const known = level.get(key);
      if (known !== undefined && known.name !== name)
        throw this.#refused(
          raw,
          at,
          `differs from ${known.name} by case or Unicode normalisation only: rename one of them`,
        );
      if (known !== undefined && (isFile || known.children === undefined)) {
        const isTwice = isFile && known.children === undefined;
        throw this.#refused(raw, at, isTwice ? 'is in it twice' : 'is a file and a directory');
      }
      const node: Node = known ?? (isFile ? { name } : { name, children: new Map() });
      level.set(key, node);
      level = node.children ?? level;
    }
    return segments.join('/');
  }

  #segmentsOf(raw: string, slashed: string, at: number): string[] {
    if (raw.length > PATH_LENGTH_MAX)
      throw this.#refused(raw, at, `has a name of more than ${PATH_LENGTH_MAX} characters`);
    if (raw === '' || raw.includes('\0')) throw this.#refused(raw, at, 'is no name of a file');
    if (slashed.startsWith('/') || /^[a-z]:/i.test(slashed))
      throw this.#refused(raw, at, 'is an absolute path: pack the directory with relative paths');
    const segments = slashed.split('/').filter(segment => segment !== '' && segment !== '.');
    if (segments.includes('..')) throw this.#refused(raw, at, 'leads out of the archive');
    return segments;
  }

  #refused(name: string, at: number, words: string): Error {
    return this.#unpacking.failure(words, name === '' ? 'An entry without a name' : name, at);
  }
}

/** Whether a path is within a database, where every entry matters. */
export function isOfDatabase(path: string): boolean {
  return `/${path}/`.includes('/.dolt/');
}
