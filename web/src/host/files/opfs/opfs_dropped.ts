/** Dropped databases in OPFS: moved aside, and restored by `dolt_undrop`. */
import { hostFailure, inAnyCase, inTheWay, missingStore, nameOfEarlier } from '../source.ts';
import { DROPPED, UNFINISHED } from '../tree.ts';
import { hasStore } from '../walk.ts';

/** A file that the browser can put into another directory; TypeScript's library does not describe it yet. */
type Movable = FileSystemFileHandle & { move?(parent: FileSystemDirectoryHandle, name: string): Promise<void> };

/**
 * Databases in OPFS that were dropped: in the directory where native Dolt's server has them.
 *
 * Directories cannot be renamed there, so their files are moved one by one. Meanwhile a mark in the directory of the database says
 * that it is none. A tab that finds a mark moves the rest to the dropped databases, whether it was being dropped or restored.
 */
export class OpfsDropped {
  readonly #root: FileSystemDirectoryHandle;
  /** Of a database at the top. */
  readonly #topName: string;
  /** Held while files are moved. */
  readonly #lock: string;

  /** @param path of the directory in OPFS. */
  constructor(root: FileSystemDirectoryHandle, path: readonly string[]) {
    this.#root = root;
    this.#topName = path.at(-1) ?? 'database';
    this.#lock = `varve-dropped:${path.join('/')}`;
  }

  /** Finishes drops and restores that were interrupted. What is in use is left for later. */
  async finish(): Promise<void> {
    const work = async (lock: Lock | null): Promise<void> => {
      if (lock === null) return;
      for (const name of await directoriesIn(this.#root)) {
        if (await isMarked(await this.#root.getDirectoryHandle(name))) await this.#putAside(name, name);
      }
      if (await isMarked(this.#root)) await this.#putAside(null, this.#topName);
    };
    await navigator.locks.request(this.#lock, { ifAvailable: true }, work).catch(() => {});
  }

  /** Moves a database to the dropped ones. Files that another tab has open stay until it closes them. */
  async drop(name: string, isTop: boolean): Promise<void> {
    await navigator.locks.request(this.#lock, () => this.#drop(name, isTop));
  }

  async #drop(name: string, isTop: boolean): Promise<void> {
    const dropped = await this.#dropped(true);
    if ((await directoriesIn(dropped)).includes(name)) {
      await moveAll(await dropped.getDirectoryHandle(name), dropped, nameOfEarlier(name));
      await dropped.removeEntry(name, { recursive: true });
    }
    await mark(isTop ? this.#root : await this.#root.getDirectoryHandle(name));
    await this.#putAside(isTop ? null : name, name);
  }

  async list(): Promise<string[]> {
    const dropped = await this.#dropped(false);
    return dropped === null ? [] : directoriesIn(dropped);
  }

  /** Puts a database back, called so in any case; its own name, null where there is none. */
  restore(name: string): Promise<string | null> {
    return navigator.locks.request(this.#lock, () => this.#restore(name));
  }

  async #restore(name: string): Promise<string | null> {
    const own = inAnyCase(name, await this.list());
    const dropped = await this.#dropped(false);
    if (own === undefined || dropped === null) return null;
    if (inAnyCase(own, await directoriesIn(this.#root)) !== undefined) throw inTheWay(own);
    const aside = await dropped.getDirectoryHandle(own);
    const dolt = await aside.getDirectoryHandle('.dolt').catch(() => null);
    if (dolt === null || !(await hasStore(dolt))) throw missingStore();
    const directory = await this.#root.getDirectoryHandle(own, { create: true });
    await mark(directory);
    await moveAll(aside, this.#root, own);
    await dropped.removeEntry(own, { recursive: true });
    await directory.removeEntry(UNFINISHED);
    return own;
  }

  async purge(): Promise<void> {
    const dropped = await this.#dropped(false);
    if (dropped === null) return;
    for await (const name of dropped.keys()) await dropped.removeEntry(name, { recursive: true });
  }

  /** @param place of the database: a directory of that name; null for the top, where only `.dolt` goes. */
  async #putAside(place: string | null, name: string): Promise<void> {
    const dropped = await this.#dropped(true);
    if (place === null) {
      const dolt = await this.#root.getDirectoryHandle('.dolt').catch(() => null);
      if (dolt !== null) await moveAll(dolt, await dropped.getDirectoryHandle(name, { create: true }), '.dolt');
      await this.#root.removeEntry('.dolt', { recursive: true }).catch(() => {});
      await this.#root.removeEntry(UNFINISHED);
      return;
    }
    await moveAll(await this.#root.getDirectoryHandle(place), dropped, name);
    await this.#root.removeEntry(place, { recursive: true });
  }

  #dropped(create: true): Promise<FileSystemDirectoryHandle>;
  #dropped(create: false): Promise<FileSystemDirectoryHandle | null>;
  #dropped(create: boolean): Promise<FileSystemDirectoryHandle | null> {
    const found = this.#root.getDirectoryHandle(DROPPED, { create });
    return create ? found : found.catch(() => null);
  }
}

/** Whether a database is on its way to those that were dropped, or from there. */
export function isMarked(directory: FileSystemDirectoryHandle): Promise<boolean> {
  return directory.getFileHandle(UNFINISHED).then(
    () => true,
    () => false,
  );
}

async function mark(directory: FileSystemDirectoryHandle): Promise<void> {
  await directory.getFileHandle(UNFINISHED, { create: true });
}

async function directoriesIn(directory: FileSystemDirectoryHandle): Promise<string[]> {
  const names: string[] = [];
  for await (const [name, entry] of directory.entries()) {
    if (entry.kind === 'directory' && name !== '.dolt' && name !== DROPPED) names.push(name);
  }
  return names.sort();
}

/** Moves the files below a directory, but for the mark, to one of that name in `parent`. */
async function moveAll(
  from: FileSystemDirectoryHandle,
  parent: FileSystemDirectoryHandle,
  name: string,
): Promise<void> {
  const to = await parent.getDirectoryHandle(name, { create: true });
  // Listed first: what is listed would change under it.
  const entries: FileSystemHandle[] = [];
  for await (const entry of from.values()) entries.push(entry);
  for (const entry of entries) {
    if (entry.kind === 'directory') await moveAll(entry as FileSystemDirectoryHandle, to, entry.name);
    else if (entry.name !== UNFINISHED) await moveFile(entry as Movable, to);
  }
}

async function moveFile(file: Movable, to: FileSystemDirectoryHandle): Promise<void> {
  if (file.move === undefined) {
    throw hostFailure('unsupported', 'This browser cannot move files, so that databases cannot be put aside');
  }
  await file.move(to, file.name);
}
