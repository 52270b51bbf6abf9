/** A database directory in OPFS, with writes and renames. */
import { contentName, JOURNAL_ID } from '../../../protocol/index.ts';
import { type DirectoryWrites, FileFault, type HostDirectory, type HostFile } from '../file.ts';
import { PickedFile } from '../picked.ts';
import { HostFailure, type OpenContext } from '../source.ts';
import { namesIn } from '../tree.ts';
import { OpfsFile, openOpfsFile, opfsFault } from './opfs.ts';
import { NAMES_FILE, OpfsNames, WORKSHOP } from './opfs_names.ts';
import { WebLease } from './web_lease.ts';

/** Safari allows about 250 sync access handles to a worker; past this many, files are read the way picked ones are. */
const SYNC_HANDLES_MAX = 200;
/** Files that are opened ahead at a time, for the engine to create. */
const SPARES = 4;
/** A tab that dies between its commit and the message about it leaves the others without news for at most so long. */
const NEWS_MS = 1000;

/** Directories that hold nothing a reader needs: temporary files, statistics (a database of their own), and the workshop. */
const SKIPPED = new Set(['temptf', 'stats', 'varve']);

const JOURNAL = `.dolt/noms/${JOURNAL_ID}`;

/** A file that the browser can give another name; TypeScript's library does not describe it yet. */
type Movable = FileSystemFileHandle & { move?(parent: FileSystemDirectoryHandle, name: string): Promise<void> };

const CLEARED =
  "The database files were removed from this site's storage while open, for example by clearing site data: nothing can be written " +
  'to it any more. What can still be read is lost when this page closes: save a copy now';

/** An open file, and which one of the workshop it is, unless it has its name. */
interface Known {
  readonly file: HostFile;
  readonly spare: string | null;
}

/** What a directory tells, and how long it waits. */
type DirectoryEvents = Pick<OpenContext, 'lockTimeoutMs' | 'onMoved' | 'onWanted'>;

/** A database in the origin-private file system, written by this tab and perhaps by others. */
export class OpfsDirectory implements HostDirectory, DirectoryWrites {
  readonly suspends = false;
  readonly isRemote = false;
  readonly writes = this;
  readonly #lease: WebLease;
  readonly #events: DirectoryEvents;
  readonly #root: FileSystemDirectoryHandle;
  #files = new Map<string, Known>();
  #looking: Promise<void> = Promise.resolve();
  /** Open files of the workshop, by their names there. */
  readonly #workshop = new Map<string, OpfsFile>();
  readonly #spares: string[] = [];
  #names: OpfsNames | null = null;
  #handles = 0;
  #wantsSpares = false;
  #hasOtherFiles = false;
  /** A look has begun and not ended well: the log of names may have been read, but what it names is not open yet. */
  #mustLook = false;
  #isClosed = false;
  /** Messages of other tabs, and times the lease came from elsewhere. */
  #messages = 0;
  #placeCheckedMs = -Infinity;
  /** Sets `#mustCheckPlace` some time after the last check. */
  #placeTimer: ReturnType<typeof setTimeout> | undefined;
  #mustCheckPlace = false;

  private constructor(root: FileSystemDirectoryHandle, path: string, events: DirectoryEvents) {
    this.#root = root;
    this.#events = events;
    this.#lease = new WebLease(path, events.lockTimeoutMs, {
      onGrant: async () => {
        await this.#catchUp();
        this.#messages++;
      },
      onAnnounced: async what => {
        if (what === 'files') await this.#lookAround().catch(() => {});
        this.#messages++;
        events.onMoved();
      },
      onWanted: () => events.onWanted?.(),
    });
  }

  /**
   * Opens the files of a database.
   *
   * @param path in OPFS, the name of the lock.
   * @throws DOMException NoModificationAllowedError where another tab has them and this browser does not share.
   */
  static async open(root: FileSystemDirectoryHandle, path: string, events: DirectoryEvents): Promise<OpfsDirectory> {
    const directory = new OpfsDirectory(root, path, events);
    try {
      await navigator.locks.request(`varve:${path}`, { ifAvailable: true }, async lock => {
        if (lock !== null) await directory.#giveNames();
      });
      await directory.#lookAround();
      return directory;
    } catch (error) {
      directory.close();
      throw error;
    }
  }

  open(path: string): HostFile | null {
    return this.#files.get(path)?.file ?? null;
  }

  list(path: string): string[] {
    return namesIn(this.#files.keys(), path);
  }

  create(path: string): HostFile {
    const spare = this.#spares.pop();
    const file = spare === undefined ? undefined : this.#workshop.get(spare);
    if (spare === undefined || file === undefined || this.#names === null) {
      this.#wantsSpares = true;
      throw new FileFault('wait', 'a file has to be opened first');
    }
    file.truncate(0);
    this.#hasOtherFiles = true;
    this.#names.set(path, spare);
    this.#files.set(path, { file, spare });
    return file;
  }

  rename(from: string, to: string): void {
    const spare = this.#names?.names.get(from);
    const known = this.#files.get(from);
    if (typeof spare !== 'string' || known === undefined) {
      throw new FileFault('host', `${from} was not made in this session`);
    }
    this.#hasOtherFiles = true;
    this.#names?.set(to, spare);
    this.#files.set(to, known);
    this.#files.delete(from);
  }

  remove(path: string): void {
    if (!this.#files.has(path)) return;
    if (this.#names === null) {
      this.#wantsSpares = true;
      throw new FileFault('wait', 'the log of names has to be opened first');
    }
    this.#hasOtherFiles = true;
    this.#names.remove(path);
    this.#files.delete(path);
  }

  get news(): number {
    // Every statement asks, and this clock is the cheaper one.
    return this.#messages + Math.floor(Date.now() / NEWS_MS);
  }

  take(): boolean {
    return this.#lease.take();
  }

  claim(): boolean {
    return this.#lease.claim();
  }

  get term(): number {
    if (this.#names?.hasOtherLength()) this.#lease.lose();
    else if (this.#mustCheckPlace) this.#watchPlace();
    return this.#lease.term;
  }

  release(): void {
    this.#lease.announce(this.#hasOtherFiles ? 'files' : 'root');
    this.#hasOtherFiles = false;
    this.#lease.release();
    this.#events.onMoved();
  }

  async prepare(): Promise<void> {
    try {
      await this.#lease.granted;
      if (this.#wantsSpares) await this.#makeSpares();
      this.#wantsSpares = false;
    } catch (error) {
      throw error instanceof HostFailure ? error : opfsFault(error);
    }
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#placeTimer);
    this.#lease.close();
    for (const { file, spare } of this.#files.values()) if (spare === null) file.close();
    for (const file of this.#workshop.values()) file.close();
    this.#names?.close();
    this.#files.clear();
    this.#workshop.clear();
  }

  /** Moves the files of the workshop to their names, as far as no tab has them open. The lock is held. */
  async #giveNames(): Promise<void> {
    const workshop = await directoryAt(this.#root, WORKSHOP, false);
    const log = await workshop?.getFileHandle(NAMES_FILE).catch(() => null);
    if (!workshop || !log) return;
    const names = new OpfsNames(await openOpfsFile(log));
    try {
      let isAllDone = true;
      for (const [path, spare] of names.names) {
        const isDone = spare === null ? await this.#removeFile(path) : await this.#giveName(workshop, spare, path);
        isAllDone &&= isDone;
      }
      if (isAllDone) names.clear();
      const used = new Set(names.names.values());
      for await (const name of workshop.keys()) {
        // What another tab has open stays; it is taken away another time.
        if (name !== NAMES_FILE && !used.has(name)) await workshop.removeEntry(name).catch(() => {});
      }
    } finally {
      names.close();
    }
  }

  async #giveName(workshop: FileSystemDirectoryHandle, spare: string, path: string): Promise<boolean> {
    const found: Movable | null = await workshop.getFileHandle(spare).catch(() => null);
    // Moved before, by a tab that was closed before it wrote the log.
    if (found === null) return true;
    const { parent, name } = split(path);
    const target = await directoryAt(this.#root, parent, true);
    if (found.move === undefined || target === null) return false;
    return found.move(target, name).then(
      () => true,
      () => false,
    );
  }

  /** What others did to the files while they had the lease is in the log of names, or was nothing. */
  async #catchUp(): Promise<void> {
    await this.#checkPlace();
    if (this.#names === null) {
      await this.#openNames();
      await this.#lookAround();
    } else if (this.#mustLook || this.#names.hasChanged()) await this.#lookAround();
  }

  async #checkPlace(): Promise<void> {
    if (performance.now() >= this.#placeCheckedMs + NEWS_MS) await this.#findJournal();
  }

  /** Open files outlive the site's data when it is cleared. What is written to them from then on is lost. */
  async #findJournal(): Promise<void> {
    const journal = this.#files.get(JOURNAL);
    if (journal === undefined) return;
    const { parent, name } = split(journal.spare === null ? JOURNAL : `${WORKSHOP}/${journal.spare}`);
    const directory = await directoryAt(this.#root, parent, false);
    const isGone = (error: unknown): boolean => error instanceof DOMException && error.name === 'NotFoundError';
    if (directory === null || (await directory.getFileHandle(name).then(() => false, isGone)))
      throw new FileFault('gone', CLEARED);
    this.#placeCheckedMs = performance.now();
    clearTimeout(this.#placeTimer);
    if (this.#isClosed) return;
    this.#placeTimer = setTimeout(() => {
      this.#mustCheckPlace = true;
    }, NEWS_MS);
  }

  /** Checks the place beside the commits of a tab that keeps the lease, which asks for it no more. */
  #watchPlace(): void {
    this.#mustCheckPlace = false;
    void this.abandonCleared();
  }

  /** Marks the files as gone when the site's data was cleared: as such they are not written, and not closed. */
  async abandonCleared(): Promise<void> {
    try {
      await this.#findJournal();
    } catch (error) {
      if (!(error instanceof FileFault && error.kind === 'gone')) return;
      for (const { file } of this.#files.values()) if (file instanceof OpfsFile) file.markGone();
      for (const file of this.#workshop.values()) file.markGone();
      this.#names?.markGone();
    }
  }

  /** One look at a time, each after the last. */
  #lookAround(): Promise<void> {
    const look = this.#looking.then(() => this.#look());
    this.#looking = look.catch(() => {});
    return look;
  }

  /**
   * Opens what is there and not open yet: in the workshop first, for a file may be moved from there to its name meanwhile.
   * All of it becomes known in one step, so that no statement sees a manifest without the files that it names.
   */
  async #look(): Promise<void> {
    this.#mustLook = true;
    const found = new Map<string, Known>();
    const workshop = await directoryAt(this.#root, WORKSHOP, false);
    const log = await workshop?.getFileHandle(NAMES_FILE).catch(() => null);
    const removed = new Set<string>();
    if (workshop && log) {
      if (this.#names === null) this.#names = new OpfsNames(await openOpfsFile(log));
      else this.#names.read();
      for (const [path, spare] of this.#names.names) {
        if (spare === null) removed.add(path);
        else {
          const file = await this.#openSpare(workshop, spare);
          if (file !== null) found.set(path, { file, spare });
        }
      }
    }
    const dolt = await this.#root.getDirectoryHandle('.dolt').catch(() => null);
    if (dolt !== null) await this.#walk(dolt, '.dolt/', found, removed);
    if (this.#isClosed) return;
    // What was made here since the log was read is in the current log.
    for (const [path, spare] of this.#names?.names ?? []) {
      const mine = this.#files.get(path);
      if (spare !== null && mine?.spare === spare) found.set(path, mine);
      else if (spare === null) found.delete(path);
    }
    this.#files = found;
    this.#mustLook = false;
  }

  async #openSpare(workshop: FileSystemDirectoryHandle, spare: string): Promise<OpfsFile | null> {
    const known = this.#workshop.get(spare);
    if (known !== undefined) return known;
    const handle = await workshop.getFileHandle(spare).catch(() => null);
    if (handle === null) return null;
    const file = await openOpfsFile(handle);
    this.#workshop.set(spare, file);
    return file;
  }

  async #walk(
    directory: FileSystemDirectoryHandle,
    prefix: string,
    found: Map<string, Known>,
    removed: ReadonlySet<string>,
  ): Promise<void> {
    for await (const [name, entry] of directory.entries()) {
      const path = prefix + name;
      if (entry.kind === 'directory') {
        if (!SKIPPED.has(name)) await this.#walk(entry as FileSystemDirectoryHandle, `${path}/`, found, removed);
      } else if (!found.has(path) && !removed.has(path)) {
        const known = this.#files.get(path);
        // One from the workshop stands for the path no more: the file of that name has taken its place.
        if (known !== undefined && known.spare === null) found.set(path, known);
        else found.set(path, { file: await this.#openFile(name, entry as FileSystemFileHandle), spare: null });
      }
    }
  }

  async #openFile(name: string, handle: FileSystemFileHandle): Promise<HostFile> {
    if (this.#handles >= SYNC_HANDLES_MAX && contentName(name) !== null) return new PickedFile(await handle.getFile());
    this.#handles++;
    return openOpfsFile(handle);
  }

  async #openNames(): Promise<FileSystemDirectoryHandle> {
    const workshop = await directoryAt(this.#root, WORKSHOP, true);
    if (workshop === null) throw new FileFault('gone', 'The directory of the database is gone');
    this.#names ??= new OpfsNames(await openOpfsFile(await workshop.getFileHandle(NAMES_FILE, { create: true })));
    return workshop;
  }

  async #makeSpares(): Promise<void> {
    const workshop = await this.#openNames();
    while (this.#spares.length < SPARES) {
      const name = crypto.randomUUID();
      this.#workshop.set(name, await openOpfsFile(await workshop.getFileHandle(name, { create: true })));
      this.#spares.push(name);
    }
  }

  /** False while another tab has it open. */
  async #removeFile(path: string): Promise<boolean> {
    const { parent, name } = split(path);
    const directory = await directoryAt(this.#root, parent, false);
    if (directory === null) return true;
    return directory.removeEntry(name).then(
      () => true,
      error => error instanceof DOMException && error.name === 'NotFoundError',
    );
  }
}

function split(path: string): { parent: string; name: string } {
  const slash = path.lastIndexOf('/');
  return { parent: path.slice(0, Math.max(0, slash)), name: path.slice(slash + 1) };
}

async function directoryAt(
  root: FileSystemDirectoryHandle,
  path: string,
  create: boolean,
): Promise<FileSystemDirectoryHandle | null> {
  let directory = root;
  for (const name of path.split('/').filter(part => part !== '')) {
    try {
      directory = await directory.getDirectoryHandle(name, { create });
    } catch (error) {
      if (create) throw error;
      return null;
    }
  }
  return directory;
}
