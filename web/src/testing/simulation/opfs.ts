import type { Actor, World } from './world.ts';

/** Bytes that a file system writes at once: a torn write ends at such a place, or at any. */
const SECTOR_BYTES = 512;

/** A change that was not flushed, and what it replaced: a power loss may undo it. */
interface Change {
  readonly change: { readonly at: number; readonly bytes: Uint8Array } | { readonly length: number };
  readonly lengthBefore: number;
  readonly at: number;
  readonly replaced: Uint8Array;
}

/** Faults that the storage has now. */
export interface StorageFaults {
  /** Bytes that may still be written before the quota is exceeded; Infinity for all. */
  quotaLeft: number;
  /** Probability that a flush fails. */
  failingFlush: number;
  /** Whether a write that exceeds the quota is short instead of an exception, as on a full disk. */
  isShort: boolean;
}

/** The contents of a file: what programs see, and what survives a power loss. */
class FileBytes {
  #bytes = new Uint8Array(0);
  length = 0;
  #changes: Change[] = [];

  copy(): FileBytes {
    const copied = new FileBytes();
    copied.#bytes = this.#bytes.slice(0, this.length);
    copied.length = this.length;
    return copied;
  }

  view(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }

  write(at: number, bytes: Uint8Array): void {
    this.#note({ at, bytes: bytes.slice() }, at, at + bytes.length);
    this.#write(at, bytes);
  }

  truncate(length: number): void {
    if (length === this.length) return;
    this.#note({ length }, length, this.length);
    this.#truncate(length);
  }

  flush(): void {
    if (this.#changes.length > 0) this.#changes = [];
  }

  /** What was not flushed is kept, lost or torn, each change by chance. */
  losePower(world: World): void {
    const changes = this.#changes;
    this.#changes = [];
    for (const { lengthBefore, at, replaced } of [...changes].reverse()) {
      this.#write(at, replaced);
      this.#truncate(lengthBefore);
    }
    for (const { change } of changes) {
      if (world.random.chance(0.4)) continue;
      if ('length' in change) {
        this.#truncate(change.length);
        continue;
      }
      const { at, bytes } = change;
      const isTorn = world.random.chance(0.4);
      const end = isTorn ? world.random.below(bytes.length + 1) : bytes.length;
      const kept = world.random.chance(0.5) ? end : Math.floor(end / SECTOR_BYTES) * SECTOR_BYTES;
      // The length may be recorded without the bytes: what is between is zeros.
      if (isTorn && world.random.chance(0.3)) this.#truncate(Math.max(this.length, at + bytes.length));
      this.#write(at, bytes.subarray(0, kept));
    }
  }

  #note(change: Change['change'], start: number, end: number): void {
    const replaced = this.#bytes.slice(start, Math.max(start, Math.min(end, this.length)));
    this.#changes.push({ change, lengthBefore: this.length, at: start, replaced });
  }

  #reserve(length: number): void {
    if (length <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(length, 2 * this.#bytes.length, 4096));
    grown.set(this.view());
    this.#bytes = grown;
  }

  #write(at: number, bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#reserve(at + bytes.length);
    this.#bytes.set(bytes, at);
    this.length = Math.max(this.length, at + bytes.length);
  }

  #truncate(length: number): void {
    this.#reserve(length);
    if (length < this.length) this.#bytes.fill(0, length, this.length);
    this.length = length;
  }
}

/** A file and the handles that have it open. */
export class FileNode {
  readonly kind = 'file';
  bytes = new FileBytes();
  readonly open = new Set<SyncAccessHandle>();
}

/** A directory; creations, moves and removals are durable at once and in order. */
export class DirectoryNode {
  readonly kind = 'directory';
  readonly children = new Map<string, FileNode | DirectoryNode>();

  copy(): DirectoryNode {
    const copied = new DirectoryNode();
    for (const [name, child] of this.children) {
      if (child instanceof DirectoryNode) copied.children.set(name, child.copy());
      else {
        const file = new FileNode();
        file.bytes = child.bytes.copy();
        copied.children.set(name, file);
      }
    }
    return copied;
  }

  losePower(world: World): void {
    for (const child of this.children.values()) {
      if (child instanceof DirectoryNode) child.losePower(world);
      else {
        child.bytes.losePower(world);
        child.open.clear();
      }
    }
  }

  /** Every file with its path. */
  *files(prefix = ''): Generator<readonly [string, FileNode]> {
    for (const [name, child] of this.children) {
      if (child instanceof DirectoryNode) yield* child.files(`${prefix}${name}/`);
      else yield [prefix + name, child];
    }
  }
}

/** The origin-private file system of the simulated site. */
export class Storage {
  readonly world: World;
  readonly root: DirectoryNode;
  /** Whether only one handle of a file can be open, as in Firefox and Safari. */
  readonly isExclusive: boolean;
  readonly faults: StorageFaults = { quotaLeft: Infinity, failingFlush: 0, isShort: false };

  constructor(world: World, root: DirectoryNode, isExclusive: boolean) {
    this.world = world;
    this.root = root;
    this.isExclusive = isExclusive;
  }

  directory(): FileSystemDirectoryHandle {
    return new DirectoryHandle(this, this.root, '', []) as unknown as FileSystemDirectoryHandle;
  }
}

function notFound(name: string): DOMException {
  return new DOMException(`there is no ${name}`, 'NotFoundError');
}

class DirectoryHandle {
  readonly kind = 'directory';
  readonly name: string;
  readonly node: DirectoryNode;
  readonly #storage: Storage;
  readonly #path: readonly string[];

  constructor(storage: Storage, node: DirectoryNode, name: string, path: readonly string[]) {
    this.#storage = storage;
    this.node = node;
    this.name = name;
    this.#path = path;
  }

  getDirectoryHandle(name: string, { create = false } = {}): Promise<DirectoryHandle> {
    return this.#later(() => {
      let child = this.node.children.get(name);
      if (child === undefined && create) {
        child = new DirectoryNode();
        this.node.children.set(name, child);
      }
      if (child === undefined) throw notFound(name);
      if (!(child instanceof DirectoryNode)) throw new DOMException(name, 'TypeMismatchError');
      return new DirectoryHandle(this.#storage, child, name, [...this.#path, name]);
    });
  }

  getFileHandle(name: string, { create = false } = {}): Promise<FileHandle> {
    return this.#later(() => {
      let child = this.node.children.get(name);
      if (child === undefined && create) {
        child = new FileNode();
        this.node.children.set(name, child);
      }
      if (child === undefined) throw notFound(name);
      if (!(child instanceof FileNode)) throw new DOMException(name, 'TypeMismatchError');
      return new FileHandle(this.#storage, this.node, child, name);
    });
  }

  removeEntry(name: string, { recursive = false } = {}): Promise<void> {
    return this.#later(() => {
      const child = this.node.children.get(name);
      if (child === undefined) throw notFound(name);
      if (child instanceof DirectoryNode && child.children.size > 0 && !recursive)
        throw new DOMException(name, 'InvalidModificationError');
      const files = child instanceof DirectoryNode ? [...child.files()].map(([, file]) => file) : [child];
      if (files.some(file => file.open.size > 0)) throw new DOMException(name, 'NoModificationAllowedError');
      this.node.children.delete(name);
    });
  }

  async *entries(): AsyncGenerator<[string, DirectoryHandle | FileHandle]> {
    const listed = await this.#later(() => [...this.node.children]);
    for (const [name, child] of listed) {
      if (child instanceof DirectoryNode)
        yield [name, new DirectoryHandle(this.#storage, child, name, [...this.#path, name])];
      else yield [name, new FileHandle(this.#storage, this.node, child, name)];
    }
  }

  async *keys(): AsyncGenerator<string> {
    for await (const [name] of this.entries()) yield name;
  }

  async *values(): AsyncGenerator<DirectoryHandle | FileHandle> {
    for await (const [, handle] of this.entries()) yield handle;
  }

  async resolve(handle: DirectoryHandle): Promise<readonly string[] | null> {
    return handle instanceof DirectoryHandle ? handle.#path : null;
  }

  #later<T>(work: () => T): Promise<T> {
    return this.#storage.world.later(0.5, 40, work);
  }
}

class FileHandle {
  readonly kind = 'file';
  name: string;
  #parent: DirectoryNode;
  readonly #node: FileNode;
  readonly #storage: Storage;

  constructor(storage: Storage, parent: DirectoryNode, node: FileNode, name: string) {
    this.#storage = storage;
    this.#parent = parent;
    this.#node = node;
    this.name = name;
  }

  createSyncAccessHandle(): Promise<SyncAccessHandle> {
    const { world, isExclusive } = this.#storage;
    const owner = world.current;
    return world.later(0.5, 40, () => {
      if (this.#parent.children.get(this.name) !== this.#node) throw notFound(this.name);
      if (isExclusive && this.#node.open.size > 0) throw new DOMException(this.name, 'NoModificationAllowedError');
      const handle = new SyncAccessHandle(this.#storage, this.#node, owner, this.name);
      if (owner?.isDead) handle.release();
      else owner?.onDeath.push(() => world.post(null, world.random.delay(1, 200), () => handle.release()));
      return handle;
    });
  }

  getFile(): Promise<Blob> {
    const { world } = this.#storage;
    return world.later(0.5, 40, () => {
      const bytes = this.#node.bytes.view().slice();
      const blob = new Blob([bytes]);
      // Those of Node answer by its own clock.
      blob.text = () => world.later(0.5, 10, () => new TextDecoder().decode(bytes));
      blob.arrayBuffer = () => world.later(0.5, 10, () => bytes.buffer);
      return blob;
    });
  }

  move(directory: DirectoryHandle, name: string): Promise<void> {
    return this.#storage.world.later(0.5, 40, () => {
      if (this.#parent.children.get(this.name) !== this.#node) throw notFound(this.name);
      const inTheWay = directory.node.children.get(name);
      const isOpen = inTheWay instanceof FileNode && inTheWay.open.size > 0;
      if (this.#node.open.size > 0 || isOpen) throw new DOMException(this.name, 'NoModificationAllowedError');
      this.#parent.children.delete(this.name);
      directory.node.children.set(name, this.#node);
      this.#parent = directory.node;
      this.name = name;
    });
  }
}

/** A sync access handle. Each write, truncation and flush is a place where its tab can be killed, and where a fault can hit. */
export class SyncAccessHandle {
  readonly #storage: Storage;
  readonly #file: FileNode;
  readonly #owner: Actor | null;
  readonly #name: string;
  #isClosed = false;

  constructor(storage: Storage, file: FileNode, owner: Actor | null, name: string) {
    this.#storage = storage;
    this.#file = file;
    this.#owner = owner;
    this.#name = name.slice(0, 8);
    file.open.add(this);
  }

  release(): void {
    this.#isClosed = true;
    this.#file.open.delete(this);
  }

  getSize(): number {
    this.#check();
    return this.#file.bytes.length;
  }

  read(dest: Uint8Array, { at = 0 } = {}): number {
    this.#check();
    const bytes = this.#file.bytes.view().subarray(at, at + dest.length);
    dest.set(bytes);
    return bytes.length;
  }

  write(bytes: Uint8Array, { at = 0 } = {}): number {
    const { world, faults } = this.#storage;
    this.#check();
    if (this.#isLast()) {
      this.#file.bytes.write(at, bytes.subarray(0, world.random.below(bytes.length + 1)));
      this.#die('write');
    }
    const grows = at + bytes.length - this.#file.bytes.length;
    if (grows > faults.quotaLeft) {
      world.note(`write of ${bytes.length} to ${this.#name} exceeds the quota`);
      if (!faults.isShort) throw new DOMException('the quota is exceeded', 'QuotaExceededError');
      const kept = bytes.subarray(0, world.random.below(bytes.length));
      this.#file.bytes.write(at, kept);
      return kept.length;
    }
    if (grows > 0) faults.quotaLeft -= grows;
    this.#file.bytes.write(at, bytes);
    world.note(`write ${this.#name} ${at} ${bytes.length}`);
    return bytes.length;
  }

  truncate(length: number): void {
    this.#check();
    if (this.#isLast()) this.#die('truncate');
    this.#file.bytes.truncate(length);
    this.#storage.world.note(`truncate ${this.#name} ${length}`);
  }

  flush(): void {
    const { world, faults } = this.#storage;
    this.#check();
    if (this.#isLast()) {
      if (world.random.chance(0.5)) this.#file.bytes.flush();
      this.#die('flush');
    }
    if (faults.failingFlush > 0 && world.random.chance(faults.failingFlush)) {
      world.note(`flush ${this.#name} fails`);
      throw new DOMException('the disk does not answer', 'InvalidStateError');
    }
    this.#file.bytes.flush();
    world.note(`flush ${this.#name}`);
  }

  close(): void {
    if (!this.#owner?.isDead) this.release();
  }

  #check(): void {
    if (this.#isClosed || this.#owner?.isDead) throw new DOMException('the handle is closed', 'InvalidStateError');
  }

  /** Whether the tab is killed within this operation. */
  #isLast(): boolean {
    const owner = this.#owner;
    if (owner === null || owner.operationsLeft === null) return false;
    return owner.operationsLeft-- <= 0;
  }

  #die(within: string): never {
    this.#storage.world.note(`killed within a ${within} of ${this.#name}`);
    this.#owner?.kill();
    throw new DOMException('the tab was killed', 'InvalidStateError');
  }
}
