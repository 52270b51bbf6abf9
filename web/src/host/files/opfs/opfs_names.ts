/** The log of names: renames in OPFS before the files can get their real names. */
import { FileFault } from '../file.ts';
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

const LINE_END = 10;

/**
 * Which files of the workshop stand for which files of the database, and which files of the database are removed.
 *
 * OPFS can open, rename and remove files only asynchronously, and cannot rename what is open. The engine writes
 * synchronously, so a new file is one that was opened ahead in the workshop, and its name is a line in this log: that line,
 * flushed, is the atomic step of a rename. At the next opening the files are moved to their names, removed ones are removed,
 * and the log starts anew.
 *
 * Lines: `A`, a file of the workshop and the path that it stands for; `R` and a path at which there is nothing any more. A
 * line without its end was cut off by a crash and does not count, nor does what follows a line that is none. The next append
 * cuts such a tail off: a line after it would be part of it, and never be read.
 */
export class OpfsNames {
  readonly #log: OpfsFile;
  readonly #names = new Map<string, string | null>();
  /** The log as it was read or written last. */
  #known = '';
  #knownBytes = 0;
  /** Bytes of the lines that count; what follows them was left by a tab that died within an append. */
  #validBytes = 0;

  constructor(log: OpfsFile) {
    this.#log = log;
    this.read();
  }

  /** The workshop's file for each path that was written; null for one that was removed. */
  get names(): ReadonlyMap<string, string | null> {
    return this.#names;
  }

  /** See `OpfsFile.markGone`. */
  markGone(): void {
    this.#log.markGone();
  }

  /** Whether another tab has written since, as far as the length tells: what is asked before each append. */
  hasOtherLength(): boolean {
    return this.#log.length !== this.#knownBytes;
  }

  /** Whether another tab has written since. */
  hasChanged(): boolean {
    return textOf(this.#bytes()) !== this.#known;
  }

  #bytes(): Uint8Array {
    const bytes = new Uint8Array(this.#log.length);
    this.#log.read(0, bytes);
    return bytes;
  }

  /** Takes in what other tabs wrote. */
  read(): void {
    const bytes = this.#bytes();
    this.#known = textOf(bytes);
    this.#knownBytes = bytes.length;
    this.#validBytes = 0;
    this.#names.clear();
    for (;;) {
      const end = bytes.indexOf(LINE_END, this.#validBytes);
      if (end < 0) break;
      const line = textOf(bytes.subarray(this.#validBytes, end));
      const alias = ALIAS.exec(line);
      const removed = REMOVED.exec(line);
      if (alias !== null) this.#giveName(alias[2] as string, alias[1] as string);
      else if (removed !== null) this.#names.set(removed[1] as string, null);
      // Bytes that were never written: what follows was not acknowledged.
      else break;
      this.#validBytes = end + 1;
    }
  }

  /** Lets a file of the workshop stand for `path`, and for no other. */
  set(path: string, spare: string): void {
    // The line of the new name is the step; those behind it say what follows from it, for versions that do not see that.
    this.#append([`A\t${spare}\t${path}`, ...this.#otherNames(path, spare).map(known => `R\t${known}`)]);
    this.#giveName(path, spare);
  }

  #giveName(path: string, spare: string): void {
    // A name that stayed would be given to the file instead, where a crash cut the append off behind its first line.
    for (const known of this.#otherNames(path, spare)) this.#names.set(known, null);
    this.#names.set(path, spare);
  }

  #otherNames(path: string, spare: string): string[] {
    return [...this.#names].filter(([known, name]) => name === spare && known !== path).map(([known]) => known);
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
    this.#validBytes = 0;
    this.#names.clear();
  }

  close(): void {
    this.#log.close();
  }

  #append(lines: readonly string[]): void {
    // The tail that is cut off is one that was read, not what another tab is writing.
    if (this.hasOtherLength()) throw new FileFault('host', 'the log of names was written by another tab meanwhile');
    if (this.#knownBytes > this.#validBytes) this.#cutTail();
    const before = this.#validBytes;
    const text = lines.map(line => `${line}\n`).join('');
    const bytes = new TextEncoder().encode(text);
    try {
      this.#log.write(before, bytes);
      this.#log.flush();
    } catch (error) {
      // Half a line would hide the next one.
      this.#log.truncate(before);
      throw error;
    }
    this.#known += text;
    this.#validBytes = this.#knownBytes = before + bytes.length;
  }

  /** Flushed by itself: after a power loss no rest of the tail may lie behind the next line. */
  #cutTail(): void {
    this.#log.truncate(this.#validBytes);
    this.#log.flush();
    this.#known = textOf(this.#bytes());
    this.#knownBytes = this.#validBytes;
  }
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
