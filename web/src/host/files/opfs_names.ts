import type { OpfsFile } from './opfs.ts';

/** Where files that are written lie until they can be given their real names; relative to the database's directory. */
export const WORKSHOP = '.dolt/varve';
/** The file in it that tells the names. */
export const NAMES_FILE = 'names';

// Bytes that were promised and not written are zeros: they are part of no name.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const ALIAS = /^A\t([^\u0000-\u001f]+)\t([^\u0000-\u001f]+)$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: see above.
const REMOVED = /^R\t([^\u0000-\u001f]+)$/;

/**
 * Which files of the workshop stand for which files of the database, and which files of the database are removed.
 *
 * OPFS can open, rename and remove files only asynchronously, and cannot rename what is open. The engine writes
 * synchronously, so a new file is one that was opened ahead in the workshop, and its name is a line in this log: that line,
 * flushed, is the atomic step of a rename. At the next opening the files are moved to their names, removed ones are removed,
 * and the log starts anew.
 *
 * Lines: `A`, a file of the workshop and the path that it stands for; `R` and a path at which there is nothing any more. A
 * line without its end was cut off by a crash and does not count.
 */
export class OpfsNames {
  readonly #log: OpfsFile;
  readonly #names = new Map<string, string | null>();
  /** The log as it was read or written last. */
  #known = '';
  #knownBytes = 0;

  constructor(log: OpfsFile) {
    this.#log = log;
    this.read();
  }

  /** The workshop's file for each path that was written; null for one that was removed. */
  get names(): ReadonlyMap<string, string | null> {
    return this.#names;
  }

  /** Whether another tab has written since, as far as the length tells: what is asked before each append. */
  hasOtherLength(): boolean {
    return this.#log.length !== this.#knownBytes;
  }

  /** Whether another tab has written since. */
  hasChanged(): boolean {
    return this.#text() !== this.#known;
  }

  #text(): string {
    const bytes = new Uint8Array(this.#log.length);
    this.#log.read(0, bytes);
    return new TextDecoder().decode(bytes);
  }

  /** Takes in what other tabs wrote. */
  read(): void {
    this.#knownBytes = this.#log.length;
    this.#known = this.#text();
    this.#names.clear();
    const lines = this.#known.split('\n');
    for (const line of lines.slice(0, -1)) {
      const alias = ALIAS.exec(line);
      const removed = REMOVED.exec(line);
      if (alias !== null) this.#names.set(alias[2] as string, alias[1] as string);
      else if (removed !== null) this.#names.set(removed[1] as string, null);
      // Bytes that were never written: what follows was not acknowledged.
      else break;
    }
  }

  /** Lets a file of the workshop stand for `path`, and for no other. */
  set(path: string, spare: string): void {
    const before = [...this.#names].filter(([known, name]) => name === spare && known !== path).map(([known]) => known);
    // The new name comes first: a crash in the middle leaves two names, never none.
    this.#append([`A\t${spare}\t${path}`, ...before.map(known => `R\t${known}`)]);
    for (const known of before) this.#names.set(known, null);
    this.#names.set(path, spare);
  }

  remove(path: string): void {
    this.#append([`R\t${path}`]);
    this.#names.set(path, null);
  }

  /** Starts anew: every file has its name. */
  clear(): void {
    this.#log.truncate(0);
    this.#log.flush();
    this.#known = '';
    this.#knownBytes = 0;
    this.#names.clear();
  }

  close(): void {
    this.#log.close();
  }

  #append(lines: readonly string[]): void {
    const before = this.#log.length;
    const text = lines.map(line => `${line}\n`).join('');
    const bytes = new TextEncoder().encode(text);
    try {
      this.#log.write(before, bytes);
      this.#log.flush();
      this.#known += text;
      this.#knownBytes = before + bytes.length;
    } catch (error) {
      // Half a line would hide the next one.
      this.#log.truncate(before);
      throw error;
    }
  }
}
